package dev.ingest.pipeline;

import dev.ingest.plan.RejectedEvent;
import java.util.List;

/**
 * Keeps events that can't be stored outside the store. Owned by one writing thread, which never
 * calls it while a transaction is open.
 */
public interface DeadLetters extends AutoCloseable {

  /**
   * Keeps all of them; returns once they are safe.
   *
   * @param route name of the route on which they can't be stored
   * @throws StoreFault where that can't be done now. The same call again is safe; an event that was
   *     kept the first time is then kept twice.
   */
  void keep(String route, List<RejectedEvent> rejected);

  /** Lets go of what it holds. Idempotent. */
  @Override
  void close();
}
