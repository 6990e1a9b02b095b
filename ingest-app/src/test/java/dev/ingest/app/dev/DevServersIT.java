package dev.ingest.app.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.IngestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevServersIT {
  @Test
  void postgresIsDurableAndTakesTheLocksOfABatchOfThreeThousand() throws SQLException {
    Path directory;
    try (DevServers servers = DevServers.start();
        Connection connection = connect(servers.postgres())) {
      directory = servers.directory();
      connection.setAutoCommit(false);

      assertThat(text(connection, "SELECT current_setting('fsync')")).isEqualTo("on");
      assertThat(text(connection, "SELECT current_setting('synchronous_commit')")).isEqualTo("on");
      assertThat(
              text(
                  connection,
                  "SELECT count(pg_advisory_xact_lock(n)) FROM generate_series(1, 3000) n"))
          .isEqualTo("3000");
      assertThat(
              text(
                  connection,
                  "SELECT count(*) < current_setting('max_locks_per_transaction')::int FROM pg_locks"))
          .isEqualTo("t");
    }

    assertThat(directory).doesNotExist();
  }

  @Test
  void givenDirectoryKeepsRowsAndRecordsInLocalesThatKafkaCannotBear(@TempDir Path directory)
      throws Exception {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      try (DevServers servers = DevServers.start(directory)) {
        keep(servers);
        servers.close(); // closing twice does no harm
      }
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      try (DevServers servers = DevServers.start(directory);
          Connection connection = connect(servers.postgres())) {
        assertThat(text(connection, "SELECT id FROM kept")).isEqualTo("1");
        assertThat(send(servers.kafka(), "second")).isEqualTo(1);
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void failedStartSaysWhyAndLeavesNothingRunning(@TempDir Path directory) throws IOException {
    Files.createDirectories(directory.resolve("postgres/data"));
    Files.writeString(directory.resolve("postgres/data/stranger"), "not empty");
    Set<Thread> before = Thread.getAllStackTraces().keySet(); // other suites' broker lives on

    assertThatThrownBy(() -> DevServers.start(directory))
        .isInstanceOf(IngestException.class)
        .hasMessageStartingWith(
            "POSTGRES_UNAVAILABLE: the embedded PostgreSQL did not start in " + directory)
        .hasMessageContaining("not empty");

    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> !before.contains(thread))
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.matches("dev-server|.*(broker|controller)-1-.*")));
  }

  private static void keep(DevServers servers) throws Exception {
    try (Connection connection = connect(servers.postgres());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept AS SELECT 1 AS id");
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers.kafka().bootstrap()))) {
      admin.createTopics(List.of(new NewTopic("kept", 1, (short) 1))).all().get();
    }
    assertThat(send(servers.kafka(), "first")).isZero();
  }

  private static long send(EmbeddedKafka kafka, String value) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrap()),
            new StringSerializer(),
            new StringSerializer())) {
      return producer.send(new ProducerRecord<>("kept", value)).get().offset();
    }
  }

  private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
    return DriverManager.getConnection(postgres.url(), postgres.user(), postgres.password());
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
