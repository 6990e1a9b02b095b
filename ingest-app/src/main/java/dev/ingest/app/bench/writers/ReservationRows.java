package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes a reservation row for each key, locks those rows with SELECT FOR UPDATE, then inserts the
 * events whose key is not there. Keys are sorted in each step, so that it does not deadlock.
 */
public final class ReservationRows implements Writer {
  /** The table of reservations; in the schema {@code ingest}, so that its size counts. */
  public static final String TABLE =
      "CREATE TABLE IF NOT EXISTS ingest.reservation (business_key text COLLATE \"C\" PRIMARY KEY)";

  private static final String RESERVE =
      """
      INSERT INTO ingest.reservation (business_key)
      SELECT key FROM unnest(?::text[]) AS key ON CONFLICT DO NOTHING
      """;

  private static final String LOCK =
      """
      SELECT business_key FROM ingest.reservation WHERE business_key = ANY (?::text[])
      ORDER BY business_key FOR UPDATE
      """;

  private static final String INSERT_ABSENT =
      ArrivalOrder.INSERT
          + "WHERE NOT EXISTS (SELECT FROM ingest.event AS e WHERE e.business_key = r.key)";

  private final Connection connection;
  private final PreparedStatement reserve;
  private final PreparedStatement lock;
  private final PreparedStatement insert;

  public ReservationRows(Connection connection) throws SQLException {
    this.connection = connection;
    this.reserve = connection.prepareStatement(RESERVE);
    this.lock = connection.prepareStatement(LOCK);
    this.insert = connection.prepareStatement(INSERT_ABSENT);
  }

  @Override
  public void write(List<Event> events) throws SQLException {
    List<Event> sorted = Once.sorted(events);
    var keys = connection.createArrayOf("text", sorted.stream().map(Text::key).toArray());
    reserve.setArray(1, keys);
    reserve.executeUpdate();
    lock.setArray(1, keys);
    lock.executeQuery().close();
    ArrivalOrder.bind(connection, insert, sorted);
    insert.executeUpdate();
  }
}
