package dev.ingest.app.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A job that is made for each new event and what it does. Immutable.
 *
 * @param name also the name of its queue
 * @param routes names of the routes whose new events make it
 * @param lease how long others leave it alone when its worker is gone
 * @param maxAttempts tries before it counts as failed
 */
public record JobSettings(
    String name, List<String> routes, Action action, Duration lease, int maxAttempts) {
  public JobSettings {
    Objects.requireNonNull(name, "name");
    routes = List.copyOf(routes);
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(lease, "lease");
  }

  /** What is done with the event. */
  public sealed interface Action {}

  /** It is written to another topic. */
  public record Publish(String topic) implements Action {}

  /**
   * It is sent to an HTTP endpoint.
   *
   * @param secret signs the request; {@link Secret#NONE} for none
   * @param timeout for the whole of a request
   * @param perHost requests at once to the endpoint's host, in this process
   */
  public record Call(URI url, Secret secret, Duration timeout, int perHost, String contentType)
      implements Action {}

  /**
   * A function of the database is called with it, in the transaction that completes the job.
   *
   * @param function as SQL names it
   * @param timeout for a call
   */
  public record Run(String function, Payload payload, Duration timeout) implements Action {}

  /** The type of a function's second parameter. */
  public enum Payload {
    JSONB,
    TEXT,
    BYTEA
  }
}
