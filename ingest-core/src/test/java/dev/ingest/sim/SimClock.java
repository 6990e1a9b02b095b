package dev.ingest.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that moves only when told to. */
final class SimClock implements InstantSource {
  private Instant now = Instant.EPOCH;

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration by) {
    now = now.plus(by);
  }
}
