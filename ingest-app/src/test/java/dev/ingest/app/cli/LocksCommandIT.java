package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LocksCommandIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private Connection reader;
  private Connection alter;
  private Connection late;

  /** An idle reader, an ALTER TABLE that waits for it, a reader that waits for that one. */
  @BeforeEach
  void pileUp(TestDatabase database) throws SQLException {
    database.execute("DROP TABLE IF EXISTS account");
    database.execute("CREATE TABLE account (id int)");
    reader = session(database, "report");
    alter = session(database, "migration");
    late = session(database, "web");
    execute(reader, "SELECT id FROM account WHERE id = 424242");
    waiting(database, alter, "ALTER TABLE account ADD COLUMN note text");
    waiting(database, late, "SELECT id FROM account");
  }

  private static Connection session(TestDatabase database, String name) throws SQLException {
    Connection connection = database.connect();
    connection.setClientInfo("ApplicationName", name);
    connection.setAutoCommit(false);
    return connection;
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection each : new Connection[] {reader, alter, late}) {
      each.abort(Runnable::run);
    }
  }

  private static void waiting(TestDatabase database, Connection connection, String sql)
      throws SQLException {
    int pid = pid(connection);
    CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> execute(connection, sql));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> unused.isDone() || !database.blockers(pid).isEmpty());
    assertThat(unused).isNotDone();
  }

  private static void execute(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException ended) {
      throw new IllegalStateException(ended);
    }
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void theIdleReaderIsNamedAsTheRoot(TestDatabase database) throws SQLException {
    CommandLineCall call = CommandLineCall.of(database, "locks");

    assertThat(call.exitCode()).isZero();
    assertThat(call.out().lines().skip(1))
        .first()
        .asString()
        .startsWith("pid " + pid(reader) + " report,")
        .contains("idle in transaction")
        .endsWith("ROOT of 2 waiting");
    assertThat(call.out())
        .contains("holds AccessShareLock on relation account")
        .contains("WHERE id = ?")
        .contains("└─ pid ")
        .contains("   └─ pid ")
        .contains("--terminate " + pid(reader))
        .doesNotContain("424242");
  }

  @Test
  void scriptsReadJson(TestDatabase database) throws Exception {
    CommandLineCall call = CommandLineCall.of(database, "locks", "--json");

    JsonNode root = new JsonMapper().readTree(call.out()).at("/tree/roots/0");
    assertThat(root.at("/session/pid").intValue()).isEqualTo(pid(reader));
    assertThat(root.at("/waiters/0/waiters/0/session/application").textValue()).isEqualTo("web");
  }

  @Test
  void watchingShowsItAgainUntilItIsStopped(TestDatabase database) throws Exception {
    StringWriter out = new StringWriter();
    PrintWriter lines = new PrintWriter(out, true);
    String[] arguments = CommandLineCall.on(database, "locks", "--watch=1", "--json");
    Thread watching = new Thread(() -> Main.run(lines, lines, arguments));
    watching.start();
    await().atMost(Duration.ofSeconds(30)).until(() -> out.toString().lines().count() >= 2);
    watching.interrupt();
    watching.join(20_000);

    assertThat(watching.isAlive()).isFalse();
    for (String line : out.toString().lines().toList()) {
      assertThat(new JsonMapper().readTree(line).at("/tree/roots/0/session/pid").intValue())
          .isEqualTo(pid(reader));
    }
  }

  @Test
  void aSessionIsEndedOnlyAfterYes(TestDatabase database) throws SQLException {
    String pid = Integer.toString(pid(reader));

    CommandLineCall no = CommandLineCall.answering("y", database, "locks", "--terminate", pid);
    assertThat(no.exitCode()).isEqualTo(Main.FAILED);
    assertThat(no.out()).contains("Nothing was done.");
    assertThat(database.sessions()).contains(Integer.valueOf(pid));

    CommandLineCall yes = CommandLineCall.answering("yes", database, "locks", "--terminate", pid);
    assertThat(yes.exitCode()).isZero();
    assertThat(yes.out()).contains("Session " + pid + " is ended.");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !database.sessions().contains(Integer.valueOf(pid)));
  }

  @Test
  void aSessionThatIsNotThereIsSaidSo(TestDatabase database) {
    CommandLineCall call = CommandLineCall.answering("yes", database, "locks", "--terminate", "1");

    assertThat(call.exitCode()).isEqualTo(Main.FAILED);
    assertThat(call.out()).contains("No client session has pid 1.");
  }
}
