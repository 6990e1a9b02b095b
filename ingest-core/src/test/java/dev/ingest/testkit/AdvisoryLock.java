package dev.ingest.testkit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * An advisory lock as {@code pg_locks} shows it.
 *
 * @param key the bigint of the one-argument form, or class in the high and key in the low half of
 *     the two-integer form
 * @param twoIntegers whether the two-integer form took it
 * @param granted false while the session waits for it
 */
public record AdvisoryLock(int pid, long key, boolean twoIntegers, String mode, boolean granted) {
  static final String QUERY =
      """
      SELECT pid, (classid::bigint << 32) | objid::bigint AS key, objsubid = 2, mode, granted
      FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      ORDER BY key, pid\
      """;

  static List<AdvisoryLock> all(ResultSet result) throws SQLException {
    List<AdvisoryLock> locks = new ArrayList<>();
    while (result.next()) {
      locks.add(
          new AdvisoryLock(
              result.getInt(1),
              result.getLong(2),
              result.getBoolean(3),
              result.getString(4),
              result.getBoolean(5)));
    }
    return locks;
  }
}
