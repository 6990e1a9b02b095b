package dev.ingest.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A claimed job. Immutable by agreement: the payload is not copied, so nobody writes to it. */
public final class Job {
  /** How long the claim is good for. */
  enum Hold {
    /** Until its lease runs out. */
    LEASE,
    /** Until the claiming transaction ends. */
    TRANSACTION
  }

  private final long id;
  private final String queue;
  private final Priority priority;
  private final @Nullable String key;
  private final byte[] payload;
  private final Map<String, String> attributes;
  private final int claims;
  private final int maxAttempts;
  private final Instant runAt;
  private final Instant enqueuedAt;
  private final Hold hold;

  Job(
      long id,
      String queue,
      Priority priority,
      @Nullable String key,
      byte[] payload,
      Map<String, String> attributes,
      int claims,
      int maxAttempts,
      Instant runAt,
      Instant enqueuedAt,
      Hold hold) {
    this.id = id;
    this.queue = queue;
    this.priority = priority;
    this.key = key;
    this.payload = payload;
    this.attributes = Map.copyOf(attributes);
    this.claims = claims;
    this.maxAttempts = maxAttempts;
    this.runAt = runAt;
    this.enqueuedAt = enqueuedAt;
    this.hold = hold;
  }

  public long id() {
    return id;
  }

  public String queue() {
    return queue;
  }

  public Priority priority() {
    return priority;
  }

  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /** Empty where the job was enqueued without one. */
  public byte[] payload() {
    return payload;
  }

  /** The payload read as UTF-8. */
  public String text() {
    return new String(payload, UTF_8);
  }

  public Map<String, String> attributes() {
    return attributes;
  }

  /** Which try this is, from 1. */
  public int attempt() {
    return hold == Hold.TRANSACTION ? claims + 1 : claims;
  }

  public int maxAttempts() {
    return maxAttempts;
  }

  /** Since when it could be claimed, by the server's clock. */
  public Instant runAt() {
    return runAt;
  }

  /** By the server's clock. */
  public Instant enqueuedAt() {
    return enqueuedAt;
  }

  /** The row's count of claims: whoever finds another one there has lost the job. */
  int claims() {
    return claims;
  }

  Hold hold() {
    return hold;
  }

  /** Says nothing of key and payload, so they never reach a log by accident. */
  @Override
  public String toString() {
    return "job " + id + " of " + queue + ", attempt " + attempt() + " of " + maxAttempts;
  }
}
