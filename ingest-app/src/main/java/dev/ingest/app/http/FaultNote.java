package dev.ingest.app.http;

import dev.ingest.event.IngestException;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import java.time.Instant;
import java.util.Locale;

/**
 * A fault worth showing, without row values, keys or secrets. Immutable.
 *
 * @param kind what kind of fault, in lower case, or {@code failed} where the consumer stopped
 * @param sqlState the server's SQLSTATE, empty where there was none
 */
public record FaultNote(Instant at, String consumer, String kind, String sqlState, String message) {
  static final String FAILED = "failed";

  static FaultNote of(Instant at, String consumer, StoreFault fault) {
    String sqlState = fault.sqlState();
    String message = fault.getMessage();
    return new FaultNote(
        at,
        consumer,
        words(fault.kind()),
        sqlState == null ? "" : sqlState,
        message == null ? "" : message);
  }

  /** Only our own messages are shown: another's may hold a value. */
  static FaultNote failed(Instant at, String consumer, Throwable cause) {
    String message =
        cause instanceof IngestException ours ? ours.getMessage() : cause.getClass().getName();
    return new FaultNote(at, consumer, FAILED, "", message == null ? "" : message);
  }

  private static String words(FaultKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
