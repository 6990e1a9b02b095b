package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes events in the open transaction of its connection. One thread at a time. */
public interface Writer {
  /** Every event has a key and a value, both UTF-8. */
  void write(List<Event> events) throws SQLException;

  /** The transaction is over, one way or the other. */
  default void ended() {}

  /** Lets go of what it has beside the connection. */
  default void close() {}

  /** Makes a writer on a connection that does not commit by itself. */
  interface Maker {
    Writer on(Connection connection) throws SQLException;
  }
}
