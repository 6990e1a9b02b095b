package dev.ingest.app.bench;

import dev.ingest.app.dev.DevServers;
import dev.ingest.app.schema.Migrations;
import org.jspecify.annotations.Nullable;

/**
 * Where a measurement runs: on the user's servers or on embedded ones, always in a database of its
 * own, which goes with it. Single-threaded.
 */
public final class BenchServers implements AutoCloseable {
  private final @Nullable DevServers embedded;
  private final Database server;
  private final Database database;
  private final Topics topics;

  private BenchServers(@Nullable DevServers embedded, Database server, String bootstrap) {
    this.embedded = embedded;
    this.server = server;
    this.database = server.fresh();
    this.topics = new Topics(bootstrap);
  }

  /**
   * Starts what is not given.
   *
   * @param postgres a server whose role may make databases
   * @param bootstrap brokers; an empty text where the measurement needs none
   */
  public static BenchServers open(@Nullable Database postgres, @Nullable String bootstrap) {
    if (postgres != null && bootstrap != null) {
      return migrated(new BenchServers(null, postgres, bootstrap));
    }
    DevServers embedded = DevServers.start();
    try {
      return migrated(
          new BenchServers(
              embedded,
              postgres == null ? own(embedded) : postgres,
              bootstrap == null ? embedded.kafka().bootstrap() : bootstrap));
    } catch (RuntimeException failed) {
      embedded.close();
      throw failed;
    }
  }

  private static Database own(DevServers embedded) {
    return new Database(
        embedded.postgres().url(), embedded.postgres().user(), embedded.postgres().password());
  }

  private static BenchServers migrated(BenchServers servers) {
    try {
      new Migrations(servers.database.dataSource()).migrate();
      return servers;
    } catch (RuntimeException failed) {
      servers.close();
      throw failed;
    }
  }

  /** Has the product's schema; nobody else uses it. */
  public Database database() {
    return database;
  }

  public Topics topics() {
    return topics;
  }

  /**
   * Empties the product's table and those that contestants use beside it, and spares the next run
   * the checkpoint of this one. Autovacuum stays out of the table: it would come at random.
   */
  public void emptyTable(String... others) {
    database.execute(
        "TRUNCATE ingest.event", "ALTER TABLE ingest.event SET (autovacuum_enabled = false)");
    database.execute(others);
    database.execute("CHECKPOINT");
  }

  String kinds() {
    return embedded == null ? "the user's" : "embedded where not given";
  }

  /** Removes the database and the topics, then stops what was started. */
  @Override
  public void close() {
    try (embedded;
        topics) {
      database.dropFrom(server);
    }
  }
}
