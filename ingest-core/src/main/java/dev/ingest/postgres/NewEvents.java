package dev.ingest.postgres;

import dev.ingest.plan.KeyGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes more in the transaction that stores events, for those alone whose row is new: the commit
 * keeps both or neither, so a duplicate, a retry or a lost reply to COMMIT makes nothing twice.
 * Called by the threads of all stores that it was given to.
 */
public interface NewEvents {
  /** Nothing more is written. */
  NewEvents NONE =
      new NewEvents() {
        @Override
        public List<String> tables(String route) {
          return List.of();
        }

        @Override
        public void stored(Connection connection, String route, List<KeyGroup> groups) {
          throw new IllegalStateException("Route " + route + " has no tables to write.");
        }
      };

  /**
   * The tables that it writes for events of a route, as SQL names them; their locks count against
   * the budget. Empty: it is not told of events of the route.
   */
  List<String> tables(String route);

  /**
   * Rows of these events were inserted in the transaction that is open, in this order.
   *
   * @param connection neither to be committed, rolled back nor closed
   * @param groups at least one; {@link KeyGroup#first} of each is the event that was stored
   * @throws SQLException the transaction is rolled back and tried again; no event is blamed
   */
  void stored(Connection connection, String route, List<KeyGroup> groups) throws SQLException;
}
