package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ingest.testkit.KafkaExtension;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Each measurement from end to end, as small as it may be: it runs, adds up, and cleans up. */
@ExtendWith({PostgresExtension.class, KafkaExtension.class})
class BenchIT {
  @TempDir private Path directory;

  @Test
  void strategiesStoreEachKeyOnceAndAreToldWithTheirCost(TestDatabase database, TestTopics topics)
      throws Exception {
    JsonNode report =
        bench(database, topics, "strategies", "--events=400", "--batch=100", "--stripes=16");

    assertThat(contestants(report)).contains("ingest, lock per key", "ingest, 16 stripes");
    assertThat(report.at("/runs").size()).isGreaterThanOrEqualTo(3 * 6);
    for (JsonNode run : report.at("/runs")) {
      assertThat(run.at("/values/events").asInt()).isEqualTo(400);
      assertThat(run.at("/values/wal_bytes_per_event").asDouble()).isPositive();
      assertThat(run.at("/values/batch_p99_ms").asDouble())
          .isBetween(
              run.at("/values/batch_p50_ms").asDouble(),
              run.at("/values/batch_worst_ms").asDouble());
    }
  }

  @Test
  void probeRunsEachWayThatFitsEachTable(TestDatabase database, TestTopics topics)
      throws Exception {
    JsonNode report =
        bench(
            database,
            topics,
            "probe",
            "--unpartitioned",
            "--days=1,9",
            "--rows=20",
            "--ways=insert,insert-window,copy,copy-window",
            "--load=repeats",
            "--events=200",
            "--batch=100");

    assertThat(report.at("/runs")).hasSize(2 * 2 + 2 * 4);
    assertThat(report.at("/results/11/load").asText()).isEqualTo("9 days of 20 rows");
    for (JsonNode run : report.at("/runs")) {
      assertThat(run.at("/values/batch_p50_ms").asDouble()).isPositive();
      assertThat(run.at("/values/events_per_second").asDouble()).isPositive();
    }
  }

  @Test
  void pipelineRunsEachContestantAtEachBatchSize(TestDatabase database, TestTopics topics)
      throws Exception {
    JsonNode report =
        bench(
            database,
            topics,
            "pipeline",
            "--contestants=ingest,copy",
            "--events=600",
            "--slow-events=300",
            "--batch=10,200",
            "--consumers=2",
            "--partitions=2",
            "--heap=128m");

    assertThat(contestants(report))
        .containsExactly(
            "ingest, lock per key", "COPY, no dedupe", "ingest, lock per key", "COPY, no dedupe");
    for (JsonNode result : report.at("/results")) {
      assertThat(result.at("/events_per_second/median").asDouble()).isPositive();
      assertThat(result.at("/allocated_bytes_per_event/median").asDouble()).isPositive();
      assertThat(result.at("/cpu_s_per_million/median").asDouble()).isPositive();
    }
  }

  @Test
  void latencyIsCountedForEachEventAfterTheWarmUp(TestDatabase database, TestTopics topics)
      throws Exception {
    JsonNode report =
        bench(
            database,
            topics,
            "latency",
            "--contestants=ingest",
            "--rate=300",
            "--warm-up=0.5",
            "--seconds=1",
            "--consumers=1",
            "--partitions=1",
            "--heap=128m");

    JsonNode values = report.at("/runs/0/values");
    assertThat(values.at("/p50_ms").asDouble()).isPositive();
    assertThat(values.at("/p99_ms").asDouble())
        .isBetween(values.at("/p50_ms").asDouble(), values.at("/p999_ms").asDouble());
    assertThat(values.at("/commit_p99_ms").asDouble()).isPositive();
  }

  @Test
  void growthTellsTheRateOfEachStep(TestDatabase database, TestTopics topics) throws Exception {
    JsonNode report =
        bench(
            database,
            topics,
            "growth",
            "--rows=900",
            "--steps=3",
            "--batch=100",
            "--consumers=1",
            "--partitions=1",
            "--heap=128m");

    assertThat(report.at("/results")).hasSize(3);
    assertThat(report.at("/results/2/load").asText()).isEqualTo("to 900 rows");
    assertThat(report.at("/results/1/of_second_step/median").asDouble()).isEqualTo(1);
  }

  @Test
  void theQueueIsMeasuredPartByPart(TestDatabase database, TestTopics topics) throws Exception {
    JsonNode report =
        bench(
            database,
            topics,
            "queue",
            "--jobs=200",
            "--workers=2",
            "--batches=1,100",
            "--worker-counts=1,2",
            "--held=0.5",
            "--done=500",
            "--finished=500",
            "--snapshot-jobs=200");

    assertThat(contestants(report))
        .contains("batch 100", "2 workers", "SKIP LOCKED", "partial index", "500 finished");
    for (JsonNode run : report.at("/runs")) {
      assertThat(run.at("/values/jobs_per_second").asDouble()).isPositive();
    }
    assertThat(value(report, "FOR UPDATE", "wait_ms")).isGreaterThan(495);
    assertThat(value(report, "SKIP LOCKED", "wait_ms")).isBetween(0.0, 490.0);
    assertThat(value(report, "primary key", "index_kilobytes"))
        .isGreaterThan(value(report, "partial index", "index_kilobytes"));
    assertThat(value(report, "primary key", "claim_one_ms")).isPositive();
    assertThat(value(report, "partial index", "claim_one_ms")).isPositive();
  }

  private static double value(JsonNode report, String contestant, String metric) {
    for (JsonNode run : report.at("/runs")) {
      if (run.at("/contestant").asText().equals(contestant)) {
        return run.at("/values/" + metric).asDouble(Double.NaN);
      }
    }
    return Double.NaN;
  }

  @Test
  void rivalsAreMeasuredFromOutsideAndOneThatDiesStopsNobody(
      TestDatabase database, TestTopics topics) throws Exception {
    JsonNode report =
        bench(
            database,
            topics,
            "rivals",
            "--rival=other=" + script("exec " + Rival.command()),
            "--rival=dying=" + script("echo 'ERROR no such thing'; exit 3"),
            "--events=500",
            "--rate=200",
            "--warm-up=0.2",
            "--seconds=1",
            "--batch=100",
            "--consumers=1",
            "--partitions=1",
            "--heap=128m");

    JsonNode runs = report.at("/runs");
    assertThat(rates(runs, "ingest")).isPositive();
    assertThat(rates(runs, "other")).isPositive();
    assertThat(rates(runs, "COPY, keyless table")).isPositive();
    assertThat(rates(runs, "dying")).isNaN();
    assertThat(report.findValuesAsText("p99_ms")).isNotEmpty();
  }

  private static double rates(JsonNode runs, String program) {
    for (JsonNode run : runs) {
      if (run.at("/contestant").asText().equals(program)) {
        return run.at("/values/events_per_second").asDouble(Double.NaN);
      }
    }
    throw new AssertionError(program + " did not run: " + runs);
  }

  private Path script(String body) throws IOException {
    Path file = Files.createTempFile(directory, "rival", ".sh");
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @Test
  void withoutAScenarioTheHelpIsShown() {
    Command command = Command.run("bench");

    assertThat(command.exitCode()).isZero();
    assertThat(command.out()).startsWith("Usage: ingest bench").contains("strategies", "pipeline");
  }

  @Test
  void wrongAddressIsToldBeforeAnythingStarts() {
    Command command = Command.run("bench", "strategies", "--postgres", "postgres://somewhere/db");

    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.err()).startsWith("CONFIG_INVALID: the address is not of the form");
  }

  /** Runs a scenario once on the servers of the tests and returns its report. */
  private JsonNode bench(TestDatabase database, TestTopics topics, String... arguments)
      throws Exception {
    Path json = directory.resolve("report.json");
    Path html = directory.resolve("report.html");
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--rounds=1", "--json=" + json, "--html=" + html));
    all.addAll(List.of("--postgres=" + database.url(), "--postgres-user=" + database.user()));
    all.add("--kafka=" + topics.bootstrap());

    Command command = Command.run(all);

    assertThat(command.exitCode()).as(command.err()).isZero();
    assertThat(command.out()).contains("contestant", "Environment: ", "synchronous_commit=");
    checkPage(Files.readString(html));
    checkNothingIsLeft(database, topics);
    return new JsonMapper().readTree(json.toFile());
  }

  private static void checkPage(String page) {
    assertThat(page)
        .startsWith("<!doctype html>")
        .endsWith("</html>\n")
        .contains("<svg ", "Every run", "Environment")
        .doesNotContain("http:", "https:", "src=", "href=", "NaN");
  }

  private static void checkNothingIsLeft(TestDatabase database, TestTopics topics)
      throws Exception {
    assertThat(
            database.count("SELECT count(*) FROM pg_database WHERE datname LIKE 'ingest\\_bench%'"))
        .isZero();
    assertThat(topics.admin().listTopics().names().get())
        .noneMatch(name -> name.startsWith("ingest-bench-"));
  }

  private static List<String> contestants(JsonNode report) throws IOException {
    List<String> names = new ArrayList<>();
    report.at("/results").forEach(each -> names.add(each.at("/contestant").asText()));
    return names;
  }
}
