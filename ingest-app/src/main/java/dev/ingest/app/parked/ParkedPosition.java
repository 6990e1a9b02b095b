package dev.ingest.app.parked;

import dev.ingest.queue.Job;
import dev.ingest.queue.NewJob;
import java.util.Map;
import java.util.Objects;

/** What identifies a parked event. Immutable. */
public record ParkedPosition(
    String topic, int partition, long offset, long timestamp, String route) {
  /** Jobs of this queue mean: try this parked event again. */
  static final String QUEUE = "ingest.parked";

  public ParkedPosition {
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(route, "route");
  }

  /** Of its job. */
  String key() {
    return topic + "/" + partition + "/" + offset + "/" + timestamp + "/" + route;
  }

  /** The job that tries it again; at most one waits. */
  NewJob job() {
    return NewJob.of(QUEUE)
        .key(key())
        .attribute("topic", topic)
        .attribute("partition", Integer.toString(partition))
        .attribute("offset", Long.toString(offset))
        .attribute("timestamp", Long.toString(timestamp))
        .attribute("route", route);
  }

  static ParkedPosition of(Job job) {
    Map<String, String> of = job.attributes();
    return new ParkedPosition(
        required(of, "topic"),
        Integer.parseInt(required(of, "partition")),
        Long.parseLong(required(of, "offset")),
        Long.parseLong(required(of, "timestamp")),
        required(of, "route"));
  }

  private static String required(Map<String, String> attributes, String name) {
    return Objects.requireNonNull(attributes.get(name), name);
  }

  @Override
  public String toString() {
    return topic + "-" + partition + "@" + offset;
  }
}
