package dev.ingest.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job to enqueue: {@code NewJob.of("mail").text(json).key("welcome-42").priority(LOW)}.
 * Immutable; each method returns a changed copy. The payload is not copied, so nobody writes to it.
 */
public final class NewJob {
  /** Attempts of a job that says nothing else. */
  public static final int MAX_ATTEMPTS = 10;

  private final String queue;
  private final byte @Nullable [] payload;
  private final @Nullable String key;
  private final Priority priority;
  private final @Nullable Instant runAt;
  private final int maxAttempts;
  private final Map<String, String> attributes;

  private NewJob(
      String queue,
      byte @Nullable [] payload,
      @Nullable String key,
      Priority priority,
      @Nullable Instant runAt,
      int maxAttempts,
      Map<String, String> attributes) {
    this.queue = queue;
    this.payload = payload;
    this.key = key;
    this.priority = priority;
    this.runAt = runAt;
    this.maxAttempts = maxAttempts;
    this.attributes = attributes;
  }

  /**
   * An empty job of normal priority that may run at once.
   *
   * @param queue whose workers run it; not empty
   */
  public static NewJob of(String queue) {
    if (queue.isEmpty()) {
      throw new IllegalArgumentException("queue is empty");
    }
    return new NewJob(queue, null, null, Priority.NORMAL, null, MAX_ATTEMPTS, Map.of());
  }

  public NewJob payload(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return new NewJob(queue, bytes, key, priority, runAt, maxAttempts, attributes);
  }

  /** The payload as UTF-8. */
  public NewJob text(String text) {
    return payload(text.getBytes(UTF_8));
  }

  /**
   * While a job of the queue with this key is waiting or running, no other is enqueued; also two
   * transactions at once leave one. A finished or failed job holds its key no longer.
   */
  public NewJob key(String unique) {
    Objects.requireNonNull(unique, "unique");
    return new NewJob(queue, payload, unique, priority, runAt, maxAttempts, attributes);
  }

  public NewJob priority(Priority changed) {
    Objects.requireNonNull(changed, "changed");
    return new NewJob(queue, payload, key, changed, runAt, maxAttempts, attributes);
  }

  /** Not before this moment of the server's clock; one in the past means now. */
  public NewJob at(Instant moment) {
    Objects.requireNonNull(moment, "moment");
    return new NewJob(queue, payload, key, priority, moment, maxAttempts, attributes);
  }

  /** How often it is tried before it counts as failed, from 1. */
  public NewJob maxAttempts(int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException("maxAttempts=" + attempts + " is below 1");
    }
    return new NewJob(queue, payload, key, priority, runAt, attempts, attributes);
  }

  /** Adds a name and value that travel beside the payload. */
  public NewJob attribute(String name, String value) {
    Map<String, String> more = new TreeMap<>(attributes);
    more.put(name, value);
    return new NewJob(queue, payload, key, priority, runAt, maxAttempts, Map.copyOf(more));
  }

  String queue() {
    return queue;
  }

  byte @Nullable [] payload() {
    return payload;
  }

  @Nullable String key() {
    return key;
  }

  Priority priority() {
    return priority;
  }

  @Nullable Instant runAt() {
    return runAt;
  }

  int maxAttempts() {
    return maxAttempts;
  }

  Map<String, String> attributes() {
    return attributes;
  }
}
