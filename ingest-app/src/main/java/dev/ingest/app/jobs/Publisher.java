package dev.ingest.app.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Header;
import dev.ingest.kafka.TopicWriter;
import dev.ingest.queue.Job;
import dev.ingest.queue.JobFailedException;
import dev.ingest.queue.JobHandler;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.RecordTooLargeException;

/**
 * Publishes events to a topic, under their business key and with the headers they came with. A job
 * is done when all in-sync replicas have the record; one whose worker dies in between is published
 * again, with the same {@link #JOB_ID}. Thread-safe.
 */
final class Publisher implements JobHandler {
  /** Header that tells records of the same job: decimal digits. */
  static final String JOB_ID = "ingest-job-id";

  /** Header that says where the event stands, {@code topic-partition@offset}. */
  static final String SOURCE = "ingest-source";

  private final TopicWriter writer;
  private final String topic;

  Publisher(TopicWriter writer, String topic) {
    this.writer = writer;
    this.topic = topic;
  }

  @Override
  public void handle(Job job) throws Exception {
    EventJob event = EventJob.in(job);
    List<Header> headers = new ArrayList<>(event.headers());
    headers.removeIf(Publisher::isOurs); // of a job before: they would grow from topic to topic
    headers.add(new Header(JOB_ID, Long.toString(job.id()).getBytes(UTF_8)));
    headers.add(new Header(SOURCE, event.source().getBytes(UTF_8)));
    try {
      writer.write(topic, event.key().getBytes(UTF_8), event.value(), headers);
    } catch (RecordTooLargeException refused) {
      throw JobFailedException.forGood("topic=" + topic + " takes no record of this size");
    }
  }

  private static boolean isOurs(Header header) {
    return header.name().equals(JOB_ID) || header.name().equals(SOURCE);
  }
}
