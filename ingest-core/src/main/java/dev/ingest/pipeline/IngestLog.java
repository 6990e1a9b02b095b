package dev.ingest.pipeline;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The log of one process's pipeline, told by its consumers: {@link #forConsumer} makes the listener
 * of each. Thread-safe.
 *
 * <p>INFO is the life of the process and one summary a minute, WARN is what heals by itself, ERROR
 * is what a person must mend. An outage is one line when it begins and one when it ends, however
 * many consumers see it. No key, payload or secret is written, and a stack trace only at DEBUG.
 */
public final class IngestLog {
  private final InstantSource clock;
  private final Outage outage = new Outage();
  private final LogLimit limit = new LogLimit();
  private final MinuteSummary summary;

  public IngestLog(InstantSource clock) {
    this.clock = clock;
    this.summary = new MinuteSummary(clock.instant());
  }

  /**
   * The listener of one consumer.
   *
   * @param name as in the consumer's thread names
   */
  public IngestEvents forConsumer(String name) {
    return new ConsumerLog(name, this);
  }

  Instant now() {
    return clock.instant();
  }

  Outage outage() {
    return outage;
  }

  LogLimit limit() {
    return limit;
  }

  MinuteSummary summary() {
    return summary;
  }
}
