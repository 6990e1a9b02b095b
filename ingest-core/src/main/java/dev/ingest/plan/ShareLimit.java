package dev.ingest.plan;

import java.time.Duration;

/**
 * How large the share of events that can't be stored may be. Immutable.
 *
 * @param share of all events that are done within the window, from 0 to 1; 1 is no limit
 * @param window how far back events count
 * @param fewest below so many events no share is taken, since one of two means nothing
 */
public record ShareLimit(double share, Duration window, int fewest) {
  public static final ShareLimit NONE = new ShareLimit(1, Duration.ofMinutes(1), 1);

  public ShareLimit {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share=" + share + " is outside 0..1");
    }
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("window=" + window + " is not above zero");
    }
    if (fewest < 1) {
      throw new IllegalArgumentException("fewest=" + fewest + " is below 1");
    }
  }
}
