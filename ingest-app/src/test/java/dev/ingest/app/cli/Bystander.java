package dev.ingest.app.cli;

import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;

/**
 * Another user of the server, who takes nine advisory locks in each transaction, time after time.
 */
final class Bystander implements AutoCloseable {
  // Above all 32-bit hashes: nobody waits for it.
  private static final String NINE_LOCKS =
      """
      SELECT count(pg_advisory_xact_lock(id)), pg_sleep(0.01)
      FROM generate_series(10000000001, 10000000009) AS id\
      """;

  private final CompletableFuture<Integer> transactions;
  private volatile boolean stopped;

  private Bystander(TestDatabase database) {
    transactions =
        CompletableFuture.supplyAsync(
            () -> work(database), task -> new Thread(task, "bystander").start());
  }

  static Bystander start(TestDatabase database) {
    return new Bystander(database);
  }

  private int work(TestDatabase database) {
    int count = 0;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (!stopped) {
        statement.execute(NINE_LOCKS);
        connection.commit();
        count++;
      }
      return count;
    } catch (SQLException disturbed) {
      throw new IllegalStateException("Transaction " + count + " of the bystander", disturbed);
    }
  }

  /**
   * @return how many transactions it had; throws where one of them failed
   */
  int stop() {
    stopped = true;
    return transactions.join();
  }

  @Override
  public void close() {
    stopped = true;
  }
}
