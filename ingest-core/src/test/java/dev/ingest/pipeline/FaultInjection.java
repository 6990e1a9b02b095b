package dev.ingest.pipeline;

import dev.ingest.pipeline.EventStore.TransactionStatus;
import org.jspecify.annotations.Nullable;

/**
 * Decides what goes wrong in an {@link InMemoryEventStore}. It may also throw: that is a crash of
 * the program at this point, and the server is left with the transaction as it stands.
 */
@FunctionalInterface
public interface FaultInjection {
  /** Nothing ever goes wrong. */
  FaultInjection NONE = point -> null;

  /** Where a store may be hit. */
  enum Point {
    /** Before anything is sent. */
    CONNECT,
    HASH,
    STATUS,
    /** The locks are taken. */
    LOCK,
    /** The rows are written, to be committed. */
    INSERT,
    COMMIT,
    /** Committed, and the program does not know yet. A fault is of no effect here, a crash is. */
    COMMITTED
  }

  /** What goes wrong. */
  sealed interface Injected {}

  /** The server answers with this SQLSTATE, or the driver reports it. */
  record SqlState(String state) implements Injected {}

  /**
   * The connection is lost after COMMIT was sent.
   *
   * @param fate how the transaction ends; what the server says until it is settled is {@code
   *     IN_PROGRESS} where {@code delayed}
   */
  record LostReply(TransactionStatus fate, boolean delayed) implements Injected {}

  /**
   * @return null where nothing goes wrong
   */
  @Nullable Injected at(Point point);
}
