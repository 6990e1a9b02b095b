package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ingest.app.send.SendPlan;
import dev.ingest.app.send.Sender;
import dev.ingest.app.send.Telemetry;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * I1: SIGKILL to either of two processes, each time when a random part of the events that are still
 * to be stored is stored. The defaults keep the build short; the full trial is {@code
 * -Dingest.test.kill.rounds=20 -Dingest.test.kill.events=200000}.
 */
class KillIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  @RegisterExtension static final KafkaExtension KAFKA = new KafkaExtension();

  private static final int ROUNDS = Integer.getInteger("ingest.test.kill.rounds", 5);
  private static final int EVENTS = Integer.getInteger("ingest.test.kill.events", 20_000);
  private static final int DUPLICATES_PERCENT = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @Test
  void killedProcessesLoseNoRowAndStoreNoneTwice(TestDatabase database, TestTopics topics) {
    long seed = ThreadLocalRandom.current().nextLong();
    String topic = topics.createTopic(4);
    Arguments arguments =
        Arguments.of(database, topics, topic).with("ingest.kafka.session.timeout.ms", "2500");
    Group group = new Group(topics, topic);
    SendPlan plan = new SendPlan(topic, "/id", 1, DUPLICATES_PERCENT, true, seed);
    Sender.Result sent;

    try (TwoProcesses processes = TwoProcesses.start(arguments);
        Sender sender = new Sender(Map.of("bootstrap.servers", topics.bootstrap()), plan)) {
      processes.awaitAssigned();
      sent = sendAndKill(sender, processes, database, seed);
      group.awaitDone();
      processes.awaitAssigned();
      assertNoSessionIsIdleInTransaction(database);
      processes.terminate();
    }

    assertThat(rows(database)).isEqualTo(sent.records() - sent.repeated());
    Command verify = Command.run(arguments.of("verify", "--json"));
    assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
    assertThat(stored(verify.json())).isEqualTo(sent.records());
    database.awaitNoSessions();
  }

  private static Sender.Result sendAndKill(
      Sender sender, TwoProcesses processes, TestDatabase database, long seed) {
    Random random = new Random(seed);
    int lines = EVENTS * (100 - DUPLICATES_PERCENT) / 100;
    Iterator<String> readings = Telemetry.readings(lines, seed).iterator();
    CompletableFuture<Sender.Result> sending = CompletableFuture.completedFuture(null);
    int inTransaction = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      int until = (int) ((long) lines * round / ROUNDS);
      int from = (int) ((long) lines * (round - 1) / ROUNDS);
      List<String> portion = Stream.generate(readings::next).limit(until - from).toList();
      sending = sending.thenApplyAsync(before -> sender.send(portion::stream, count -> {}));

      int target = (int) rows(database);
      target += random.nextInt(Math.max(1, until - target));
      awaitRows(database, target);
      int victim = random.nextInt(2);
      inTransaction += processes.hasTransaction(victim, database) ? 1 : 0;
      processes.killAndStartAnew(victim);
      System.out.printf(
          "seed=%d round=%d rows=%d killed=%d inTransaction=%d%n",
          seed, round, target, victim, inTransaction);
    }
    return sending.join();
  }

  private static void awaitRows(TestDatabase database, long target) {
    await("stored rows")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> assertThat(rows(database)).isGreaterThanOrEqualTo(target));
  }

  private static void assertNoSessionIsIdleInTransaction(TestDatabase database) {
    await("sessions that are idle in transaction")
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        database.query(
                            """
                            SELECT pid, application_name, state, query FROM pg_stat_activity
                            WHERE datname = current_database() AND state LIKE 'idle in transaction%'\
                            """))
                    .isEmpty());
  }

  private static long rows(TestDatabase database) {
    return database.count("SELECT count(*) FROM ingest.event");
  }

  private static long stored(JsonNode report) {
    long stored = 0;
    for (JsonNode partition : report.get("partitions")) {
      stored += partition.get("counts").get("stored").asLong();
    }
    return stored;
  }
}
