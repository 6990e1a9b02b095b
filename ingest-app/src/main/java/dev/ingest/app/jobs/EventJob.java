package dev.ingest.app.jobs;

import dev.ingest.app.config.JobSettings;
import dev.ingest.event.Event;
import dev.ingest.plan.KeyGroup;
import dev.ingest.queue.Job;
import dev.ingest.queue.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * A new event as a job carries it: the value as the payload, all else as attributes. Immutable.
 *
 * @param key the business key
 * @param value null for a tombstone
 * @param source where the event stands: {@code topic-partition@offset}
 */
@SuppressWarnings("ArrayRecordComponent") // the value is carried through, never compared
record EventJob(String key, byte @Nullable [] value, String source) {
  private static final String KEY = "key";
  private static final String SOURCE = "source";
  private static final String TOMBSTONE = "tombstone";

  static NewJob of(JobSettings settings, KeyGroup stored) {
    Event event = stored.first();
    NewJob job =
        NewJob.of(settings.name())
            .maxAttempts(settings.maxAttempts())
            .attribute(KEY, stored.key().value())
            .attribute(SOURCE, event.toString());
    byte[] value = event.value();
    return value == null ? job.attribute(TOMBSTONE, "true") : job.payload(value);
  }

  /** Jobs that somebody else enqueued lack what events have. */
  static EventJob in(Job job) {
    boolean tombstone = job.attributes().containsKey(TOMBSTONE);
    return new EventJob(
        job.attributes().getOrDefault(KEY, Long.toString(job.id())),
        tombstone ? null : job.payload(),
        job.attributes().getOrDefault(SOURCE, ""));
  }
}
