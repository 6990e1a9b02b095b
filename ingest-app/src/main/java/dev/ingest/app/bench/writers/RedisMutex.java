package dev.ingest.app.bench.writers;

import dev.ingest.event.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes a lock for each key in Redis (SET NX with a time to live), in the order of keys, then
 * inserts the events whose key is not there, and lets go after the commit. A lock that runs out
 * before the commit protects nothing.
 */
public final class RedisMutex implements Writer {
  private static final String TIME_TO_LIVE_MILLIS = "30000";
  private static final long PAUSE_NANOS = 200_000;

  private final Connection connection;
  private final RedisClient redis;
  private final LongAdder retries;
  private final PreparedStatement insert;
  private final List<String> held = new ArrayList<>();

  /**
   * @param retries told of each key that somebody else had
   */
  public RedisMutex(Connection connection, RedisClient redis, LongAdder retries)
      throws SQLException {
    this.connection = connection;
    this.redis = redis;
    this.retries = retries;
    this.insert =
        connection.prepareStatement(
            ArrivalOrder.INSERT
                + "WHERE NOT EXISTS (SELECT FROM ingest.event AS e WHERE e.business_key = r.key)");
  }

  @Override
  public void write(List<Event> events) throws SQLException {
    List<Event> sorted = Once.sorted(events);
    lock(sorted.stream().map(Text::key).toList());
    ArrivalOrder.bind(connection, insert, sorted);
    insert.executeUpdate();
  }

  /**
   * In one round trip where nobody else has one of them. Keys behind one that is taken are let go,
   * so that all writers wait in the same order.
   */
  private void lock(List<String> keys) {
    int next = 0;
    while (next < keys.size()) {
      List<String> rest = keys.subList(next, keys.size());
      List<Boolean> taken =
          redis.all(
              rest.stream()
                  .map(key -> List.of("SET", key, "1", "NX", "PX", TIME_TO_LIVE_MILLIS))
                  .toList());
      int first = taken.indexOf(false);
      int got = first < 0 ? rest.size() : first;
      held.addAll(rest.subList(0, got));
      next += got;
      if (first >= 0) {
        letGo(after(rest, taken, first));
        retries.increment();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static List<String> after(List<String> keys, List<Boolean> taken, int first) {
    List<String> after = new ArrayList<>();
    for (int i = first + 1; i < keys.size(); i++) {
      if (taken.get(i)) {
        after.add(keys.get(i));
      }
    }
    return after;
  }

  @Override
  public void ended() {
    letGo(held);
    held.clear();
  }

  @Override
  public void close() {
    redis.close();
  }

  private void letGo(List<String> keys) {
    if (!keys.isEmpty()) {
      List<String> command = new ArrayList<>(List.of("DEL"));
      command.addAll(keys);
      redis.all(List.of(command));
    }
  }
}
