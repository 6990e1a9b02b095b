package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The queue's example in the README, as it stands there. */
class ReadmeExampleIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private interface Mailer {
    void send(String text);
  }

  @Test
  void aHandlerTakesThreeLines(TestDatabase database) throws SQLException {
    Schema.create(database);
    List<String> sent = new CopyOnWriteArrayList<>();
    Mailer mailer = sent::add;
    DataSource dataSource = database.dataSource();
    String json = "{\"to\": \"you\"}";
    Connection connection = database.connect();
    connection.setAutoCommit(false);

    // example
    JobQueue queue = new JobQueue();
    queue.enqueue(connection, NewJob.of("mail").text(json)); // commits with your own work
    var workers = JobWorkers.on(dataSource).handle("mail", job -> mailer.send(job.text())).start();
    // end

    try (connection;
        workers) {
      connection.commit();
      await().atMost(Duration.ofSeconds(30)).until(() -> sent.equals(List.of(json)));
    }
  }

  @Test
  void theReadmeShowsIt() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/dev/ingest/queue/ReadmeExampleIT.java"));
    String example =
        source
            .substring(source.indexOf("// example\n") + "// example\n".length())
            .lines()
            .takeWhile(line -> !line.strip().equals("// end"))
            .map(String::strip)
            .collect(Collectors.joining("\n"));

    assertThat(example.lines()).hasSize(3);
    assertThat(Files.readString(Path.of("../README.md"))).contains(example);
  }
}
