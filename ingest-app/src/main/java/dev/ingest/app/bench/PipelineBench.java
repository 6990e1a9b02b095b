package dev.ingest.app.bench;

import dev.ingest.app.dev.DevServers;
import dev.ingest.app.schema.Migrations;
import dev.ingest.app.send.SendPlan;
import dev.ingest.app.send.Sender;
import dev.ingest.app.send.Telemetry;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * From a preloaded topic into the default table, contestants in turn, several rounds, each on an
 * empty table and with a group of its own.
 */
public final class PipelineBench {
  private static final String TOPIC = "bench";
  private static final String SHORT_TOPIC = "bench-short";
  private static final long SEED = 20_180_207;

  private final Plan plan;
  private final PrintWriter out;

  /**
   * What is run. Immutable.
   *
   * @param events in the topic
   * @param slowEvents that the row-by-row contestant reads, since it takes so long
   * @param rounds each contestant runs once in each
   * @param heap of a contestant, as {@code -Xmx} takes it
   */
  public record Plan(
      long events,
      long slowEvents,
      int partitions,
      int consumers,
      int batch,
      int rounds,
      String heap) {}

  public PipelineBench(Plan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
  }

  /** Runs everything and prints a table; some minutes. */
  public void run() {
    try (DevServers servers = DevServers.start()) {
      PGSimpleDataSource database = new PGSimpleDataSource();
      database.setUrl(servers.postgres().url());
      database.setUser(servers.postgres().user());
      new Migrations(database).migrate();
      preload(servers, TOPIC, plan.events());
      preload(servers, SHORT_TOPIC, plan.slowEvents());
      List<Measured> all = new ArrayList<>();
      for (int round = 0; round < plan.rounds(); round++) {
        for (Contestant contestant : Contestant.values()) {
          empty(servers);
          Measured measured =
              ContestantProcess.run(contestant, workload(servers, contestant, round), plan.heap());
          all.add(measured);
          out.printf(
              "round %d  %-28s %,9.0f events/s  %5.1f s  cpu %5.1f s%n",
              round + 1,
              measured.contestant(),
              measured.rate(),
              measured.seconds(),
              measured.cpuSeconds());
          out.flush();
        }
      }
      new Summary(all, Contestant.INGEST.title()).print(out);
    }
  }

  private Workload workload(DevServers servers, Contestant contestant, int round) {
    boolean slow = contestant == Contestant.PER_ROW;
    return new Workload(
        servers.kafka().bootstrap(),
        slow ? SHORT_TOPIC : TOPIC,
        servers.postgres().url(),
        slow ? plan.slowEvents() : plan.events(),
        contestant + "-" + round,
        plan.consumers(),
        plan.batch());
  }

  private void preload(DevServers servers, String topic, long events) {
    Map<String, String> kafka = Map.of("bootstrap.servers", servers.kafka().bootstrap());
    try (Admin admin = Admin.create(Map.copyOf(kafka))) {
      admin.createTopics(List.of(new NewTopic(topic, plan.partitions(), (short) 1))).all().get();
    } catch (ExecutionException refused) {
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE, "topic=" + topic + " can't be made", refused);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.INTERNAL, "interrupted", stopped);
    }
    try (Sender sender = new Sender(kafka, new SendPlan(topic, "/id", 1, 0, false, SEED))) {
      sender.send(() -> Telemetry.readings(events, SEED), sent -> {});
    }
  }

  private static void empty(DevServers servers) {
    try (Connection connection =
            DriverManager.getConnection(servers.postgres().url(), servers.postgres().user(), "");
        Statement statement = connection.createStatement()) {
      statement.execute("TRUNCATE ingest.event");
      statement.execute("CHECKPOINT");
    } catch (SQLException failed) {
      throw new IngestException(
          Code.STORE_FAILED,
          "the table can't be emptied, sqlstate=" + failed.getSQLState(),
          failed);
    }
  }
}
