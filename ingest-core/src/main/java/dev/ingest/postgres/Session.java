package dev.ingest.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * A borrowed connection with explicit transactions. Returned to its pool by {@link #close} only
 * where it is known to be clean; otherwise it is given up, so that no aborted transaction and no
 * dead socket meets the next batch.
 */
final class Session implements AutoCloseable {
  private final DataSource pool;
  private final Connection connection;
  private final Watchdog.Watch watch;
  private boolean givenUp;

  private Session(DataSource pool, Connection connection, Watchdog.Watch watch) {
    this.pool = pool;
    this.connection = connection;
    this.watch = watch;
  }

  /**
   * Borrows a connection. It is given up where the server is silent for the socket timeout, or
   * where what follows a call of {@link #connection} takes longer than that, sending included.
   */
  static Session open(DataSource pool, Timeouts timeouts, Watchdog watchdog) throws SQLException {
    Connection connection = pool.getConnection();
    Session session = new Session(pool, connection, watchdog.watch(connection));
    try {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeouts.socket().toMillis()));
      connection.setAutoCommit(false);
      return session;
    } catch (SQLException | RuntimeException broken) {
      session.evict();
      session.close();
      throw broken;
    }
  }

  /** For the next step, whose time runs from now. */
  Connection connection() {
    watch.step();
    return connection;
  }

  /** Ends a failed transaction; gives the connection up where that fails too. */
  void rollback() {
    watch.step();
    try {
      connection.rollback();
    } catch (SQLException lost) {
      evict();
    }
  }

  /** From now on no statement is prepared under a name that another session may not know. */
  void forgetNames() throws SQLException {
    connection.unwrap(PGConnection.class).setPrepareThreshold(0);
  }

  /** Gives the connection up: the pool will not hand it out again. */
  void evict() {
    givenUp = true;
    if (pool instanceof HikariDataSource hikari) {
      hikari.evictConnection(connection);
      return;
    }
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyGone) {
      // what was to be reached is reached
    }
  }

  /** Who was in the way of the last step, where that was for long; found by another session. */
  Optional<Blocker> blocker() {
    return watch.blocker();
  }

  boolean isGivenUp() {
    return givenUp;
  }

  /**
   * Never fails: what was to be done is done and its outcome known by now, so a connection that
   * breaks here says nothing about the transaction.
   */
  @Override
  public void close() {
    try (watch) {
      connection.close();
    } catch (SQLException broken) {
      evict();
    }
  }
}
