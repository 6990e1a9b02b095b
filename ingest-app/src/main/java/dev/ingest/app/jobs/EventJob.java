package dev.ingest.app.jobs;

import dev.ingest.app.config.JobSettings;
import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.plan.KeyGroup;
import dev.ingest.queue.Job;
import dev.ingest.queue.NewJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A new event as a job carries it: the value as the payload, all else as attributes. Immutable.
 *
 * @param key the business key
 * @param value as it stands in the topic or, for functions, as columns read it; null for a
 *     tombstone
 * @param headers in the record's order
 * @param source where the event stands: {@code topic-partition@offset}
 */
@SuppressWarnings("ArrayRecordComponent") // the value is carried through, never compared
record EventJob(String key, byte @Nullable [] value, List<Header> headers, String source) {
  private static final String KEY = "key";
  private static final String SOURCE = "source";
  private static final String TOMBSTONE = "tombstone";
  private static final String HEADERS = "headers";

  static NewJob of(JobSettings settings, KeyGroup stored) {
    Event event = stored.first();
    NewJob job =
        NewJob.of(settings.name())
            .maxAttempts(settings.maxAttempts())
            .attribute(KEY, stored.key().value())
            .attribute(SOURCE, event.toString());
    if (!event.headers().isEmpty() && settings.action() instanceof JobSettings.Publish) {
      job = job.attribute(HEADERS, HeaderText.of(event.headers()));
    }
    byte[] value = readsDocument(settings.action()) ? event.document() : event.value();
    return value == null ? job.attribute(TOMBSTONE, "true") : job.payload(value);
  }

  /** A function that takes JSON or text gets what columns read, not Avro or a change event. */
  private static boolean readsDocument(JobSettings.Action action) {
    return action instanceof JobSettings.Run run && run.payload() != JobSettings.Payload.BYTEA;
  }

  /** Jobs that somebody else enqueued lack what events have. */
  static EventJob in(Job job) {
    boolean tombstone = job.attributes().containsKey(TOMBSTONE);
    return new EventJob(
        job.attributes().getOrDefault(KEY, Long.toString(job.id())),
        tombstone ? null : job.payload(),
        HeaderText.read(job.attributes().getOrDefault(HEADERS, "")),
        job.attributes().getOrDefault(SOURCE, ""));
  }
}
