package dev.ingest.app.bench.strategies;

import dev.ingest.app.bench.Database;
import dev.ingest.app.bench.writers.ArrivalOrder;
import dev.ingest.app.bench.writers.RedisMutex;
import dev.ingest.app.bench.writers.RedisServer;
import dev.ingest.app.bench.writers.ReservationRows;
import dev.ingest.app.bench.writers.RowByRow;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.plan.LockScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * One way to store each key once. Immutable.
 *
 * @param sessions makes one for each writing thread
 */
record Strategy(String title, Sessions sessions) {
  static final String OURS = "ingest, lock per key";

  /** Makes a session; the counter is told of each time that a batch had to wait or start anew. */
  interface Sessions {
    BatchSession open(Database database, LongAdder retries);
  }

  /** All there are; the one with Redis where there is a server. */
  static List<Strategy> all(List<Integer> stripes, Optional<RedisServer> redis) {
    List<Strategy> all = new ArrayList<>();
    all.add(product(OURS, LockScheme.perKey()));
    for (int count : stripes) {
      all.add(product("ingest, " + count + " stripes", LockScheme.striped(count)));
    }
    all.add(product("ingest, no lock (sorted)", LockScheme.none()));
    all.add(
        new Strategy(
            "ON CONFLICT, arrival order",
            (database, retries) -> new JdbcSession(database, ArrivalOrder::new, retries)));
    all.add(
        new Strategy(
            "lock and insert row by row",
            (database, retries) -> new JdbcSession(database, RowByRow::new, retries)));
    all.add(
        new Strategy(
            "reservation rows FOR UPDATE",
            (database, retries) -> new JdbcSession(database, ReservationRows::new, retries)));
    redis.ifPresent(server -> all.add(mutex(server)));
    return all;
  }

  private static Strategy product(String title, LockScheme locks) {
    return product(title, TargetMapping.event(), locks);
  }

  static Strategy product(String title, TargetMapping target, LockScheme locks) {
    return new Strategy(
        title, (database, retries) -> new ProductSession(database, target, locks, retries));
  }

  private static Strategy mutex(RedisServer redis) {
    return new Strategy(
        "Redis SET NX",
        (database, retries) ->
            new JdbcSession(
                database,
                connection -> new RedisMutex(connection, redis.connect(), retries),
                retries));
  }
}
