package dev.ingest.app.schema;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.plan.Backoff;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema {@code ingest} up to date. Any number of processes may do so at once: they take
 * turns under an advisory lock, and who comes later finds nothing to do. No statement waits longer
 * than two seconds for a lock, so that nobody queues behind it; the turn is then tried again after
 * a random growing delay. Where the schema is up to date, one query is all, and no right to CREATE
 * is needed. Safe from any thread.
 */
public final class Migrations {
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);
  private static final String LOCATION = "dev/ingest/schema";
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

  private final DataSource dataSource;
  private final int maxTries;
  private final Backoff backoff;
  private final RandomGenerator random;

  /**
   * @param dataSource without a pool: Flyway changes settings of its sessions. Connect to the
   *     server itself, not through a pooler
   */
  public Migrations(DataSource dataSource) {
    this(dataSource, 40, BACKOFF, new Random());
  }

  Migrations(DataSource dataSource, int maxTries, Backoff backoff, RandomGenerator random) {
    this.dataSource = dataSource;
    this.maxTries = maxTries;
    this.backoff = backoff;
    this.random = random;
  }

  /**
   * Applies what is missing; each migration is one transaction. May be called again after any
   * failure.
   *
   * @throws IngestException {@code POSTGRES_UNAVAILABLE} where the server can't be reached, {@code
   *     STORE_FAILED} where it refuses, or where a lock did not become free within a few minutes
   */
  public MigrationResult migrate() {
    long begin = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      try {
        int applied = migrateInTurn();
        return new MigrationResult(version(), applied, Duration.ofNanos(System.nanoTime() - begin));
      } catch (SQLException | FlywayException e) {
        if (attempt == maxTries || !DatabaseFailure.isTransient(e)) {
          throw DatabaseFailure.of("migration failed, tries=" + attempt + blocker(), e);
        }
        log.warn("migration waits for a lock: tries={}{}", attempt, blocker());
        pause(backoff.delay(attempt, random));
      }
    }
  }

  /**
   * The SQL that {@link #migrate} would run, empty where there is nothing to do. Changes nothing.
   *
   * @throws IngestException as {@link #migrate}
   */
  public String pendingSql() {
    try (Connection connection = dataSource.getConnection()) {
      StringBuilder sql = new StringBuilder();
      if (!schemaExists(connection)) {
        sql.append(Statements.CREATE_SCHEMA).append(";\n\n");
      }
      for (MigrationInfo pending : flyway().info().pending()) {
        sql.append("-- ").append(pending.getScript()).append('\n');
        sql.append(script(pending.getScript())).append('\n');
      }
      return sql.toString();
    } catch (SQLException | FlywayException e) {
      throw DatabaseFailure.of("reading the state of the schema failed", e);
    }
  }

  /**
   * Holds the turn in a session of its own, since Flyway's own lock does not cover its first steps.
   *
   * @return how many migrations were applied
   */
  private int migrateInTurn() throws SQLException {
    if (version() >= SchemaCheck.VERSION) {
      return 0;
    }
    try (Connection turn = dataSource.getConnection();
        Statement statement = turn.createStatement()) {
      turn.setAutoCommit(false);
      statement.execute(Statements.LIMIT_LOCK_WAIT);
      statement.execute(Statements.TAKE_TURN);
      int applied = version() >= SchemaCheck.VERSION ? 0 : createAndMigrate();
      turn.rollback();
      return applied;
    }
  }

  private int createAndMigrate() throws SQLException {
    createSchema();
    return flyway().migrate().migrationsExecuted;
  }

  /** Flyway would do it too, but repeats a refusal for ten seconds. */
  private void createSchema() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      if (schemaExists(connection)) {
        return; // even IF NOT EXISTS asks for the right to create
      }
      connection.setAutoCommit(false);
      statement.execute(Statements.LIMIT_LOCK_WAIT);
      statement.execute(Statements.CREATE_SCHEMA);
      connection.commit();
    }
  }

  private int version() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return SchemaCheck.version(connection);
    }
  }

  private Flyway flyway() {
    return Flyway.configure(Migrations.class.getClassLoader())
        .loggers("slf4j")
        .dataSource(dataSource)
        .locations("classpath:" + LOCATION)
        .defaultSchema("ingest")
        .table("schema_history")
        // The user may keep tables of their own in the schema.
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .placeholderReplacement(false)
        .skipDefaultCallbacks(true)
        .callbacks(new LockWaitLimit())
        .load();
  }

  private static boolean schemaExists(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(Statements.SCHEMA_EXISTS)) {
      result.next();
      return result.getBoolean(1);
    }
  }

  private static String script(String name) {
    String path = "/" + LOCATION + "/" + name;
    try (InputStream in = Migrations.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + path, e);
    }
  }

  /** Who may be in the way, for the message; empty where that can't be told. */
  private String blocker() {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(Statements.BLOCKERS)) {
      return result.next()
          ? " blocker=[pid=%s application=%s state=%s transaction=%ss]"
              .formatted(
                  result.getString("pid"),
                  result.getString("application_name"),
                  result.getString("state"),
                  result.getString("seconds"))
          : "";
    } catch (SQLException e) {
      return "";
    }
  }

  private static void pause(Duration delay) {
    try {
      Thread.sleep(delay.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.STORE_FAILED, "migration was interrupted; run it again.", e);
    }
  }
}
