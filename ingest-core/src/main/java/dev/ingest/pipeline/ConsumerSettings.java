package dev.ingest.pipeline;

import dev.ingest.plan.Backoff;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.Routes;
import dev.ingest.plan.ShareLimit;
import java.time.Duration;
import java.util.Objects;

/**
 * How a consumer works. Immutable.
 *
 * @param limits size of batches and of what waits in memory
 * @param locks which advisory lock stands for a key
 * @param routes which way the events of each topic go, and how they are read on it
 * @param badEvents what is done with events that can't be stored
 * @param badShare above which share of such events writing pauses instead
 */
public record ConsumerSettings(
    BatchLimits limits, LockScheme locks, Routes routes, BadEvents badEvents, ShareLimit badShare) {
  static final Backoff QUICK = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(2));
  static final Backoff SLOW = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

  public ConsumerSettings {
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(locks, "locks");
    Objects.requireNonNull(routes, "routes");
    Objects.requireNonNull(badEvents, "badEvents");
    Objects.requireNonNull(badShare, "badShare");
  }

  /** All topics go the same way. */
  public ConsumerSettings(
      BatchLimits limits, LockScheme locks, EventReader reader, BadEvents badEvents) {
    this(limits, locks, Routes.single(reader), badEvents, ShareLimit.NONE);
  }

  /** One lock a key, batches of up to 1,000 events or 8 MiB, bad events parked. */
  public static ConsumerSettings of(EventReader reader) {
    return new ConsumerSettings(
        BatchLimits.of(1000, 8 << 20, Duration.ofMillis(5)),
        LockScheme.perKey(),
        reader,
        BadEvents.park());
  }
}
