package dev.ingest.pipeline;

import dev.ingest.plan.Backoff;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.LockScheme;
import java.time.Duration;
import java.util.Objects;

/**
 * How a consumer works. Immutable.
 *
 * @param limits size of batches and of what waits in memory
 * @param locks which advisory lock stands for a key
 * @param reader takes the business key out of an event
 * @param badEvents what is done with events that can't be stored
 */
public record ConsumerSettings(
    BatchLimits limits, LockScheme locks, EventReader reader, BadEvents badEvents) {
  static final Backoff QUICK = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(2));
  static final Backoff SLOW = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

  public ConsumerSettings {
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(locks, "locks");
    Objects.requireNonNull(reader, "reader");
    Objects.requireNonNull(badEvents, "badEvents");
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
