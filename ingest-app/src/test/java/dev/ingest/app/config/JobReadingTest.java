package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobReadingTest {
  private static Config config(Map<String, String> environment, String... assignments) {
    return Config.load(
        new SettingSources(
            Path.of("none.yaml"),
            false,
            environment,
            Stream.concat(Stream.of("ingest.source.topics=orders,refunds"), Stream.of(assignments))
                .toList()),
        Set.of(Concern.SOURCE));
  }

  private static List<JobSettings> jobs(String... assignments) {
    return config(Map.of(), assignments).jobs();
  }

  @Test
  void withoutJobsThereAreNone() {
    assertThat(jobs()).isEmpty();
  }

  @Test
  void eachKindHasItsDefaults() {
    Duration ten = Duration.ofSeconds(10);
    assertThat(
            jobs(
                "ingest.jobs.tell.http.url=https://example.test/hook",
                "ingest.jobs.count.sql.function=app.count_order",
                "ingest.jobs.out.kafka.topic=orders-stored"))
        .containsExactly(
            new JobSettings(
                "count",
                List.of("default"),
                new JobSettings.Run("app.count_order", JobSettings.Payload.JSONB, ten),
                Duration.ofMinutes(10),
                10),
            new JobSettings(
                "out",
                List.of("default"),
                new JobSettings.Publish("orders-stored"),
                Duration.ofMinutes(10),
                10),
            new JobSettings(
                "tell",
                List.of("default"),
                new JobSettings.Call(
                    URI.create("https://example.test/hook"),
                    Secret.NONE,
                    ten,
                    4,
                    "application/json"),
                Duration.ofMinutes(10),
                10));
  }

  @Test
  void aJobMayBeOfSomeRoutesAlone() {
    String[] routes = {"ingest.routes.a.topics=orders", "ingest.routes.b.topics=refunds"};
    assertThat(jobs(with(routes, "ingest.jobs.j.kafka.topic=x")).get(0).routes())
        .containsExactly("a", "b");
    assertThat(
            jobs(with(routes, "ingest.jobs.j.kafka.topic=x", "ingest.jobs.j.routes=b"))
                .get(0)
                .routes())
        .containsExactly("b");
    assertThatThrownBy(
            () -> jobs(with(routes, "ingest.jobs.j.kafka.topic=x", "ingest.jobs.j.routes=c")))
        .hasMessageContaining("ingest.jobs.j.routes names c, which is no route; use a, b");
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void variablesAndSecretFilesReachIntoAJob(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("secret"), "hush\n");
    Config config =
        config(
            Map.of(
                "INGEST_JOBS_BIG_ONES_HTTP_URL", "http://localhost:1/x",
                "INGEST_JOBS_BIG_ONES_HTTP_SECRET_FILE", file.toString(),
                "INGEST_JOBS_BIG_ONES_HTTP_PER_HOST", "7",
                "INGEST_JOBS_BIG_ONES_MAX_ATTEMPTS", "3"));

    JobSettings job = config.jobs().get(0);
    assertThat(job.name()).isEqualTo("big-ones");
    assertThat(job.maxAttempts()).isEqualTo(3);
    JobSettings.Call call = (JobSettings.Call) job.action();
    assertThat(call.secret().reveal()).isEqualTo("hush");
    assertThat(call.perHost()).isEqualTo(7);
    assertThat(config.summary() + config.effective() + job).doesNotContain("hush");
  }

  @Test
  void theReadmesExampleIsRight(@TempDir Path directory) throws Exception {
    String readme = Files.readString(Path.of("..", "README.md"));
    int start = readme.indexOf("```yaml\ningest:\n  jobs:") + "```yaml\n".length();
    Path file =
        Files.writeString(
            directory.resolve("ingest.yaml"),
            readme
                .substring(start, readme.indexOf("```", start))
                .replace(
                    "/run/secrets/billing",
                    Files.writeString(directory.resolve("s"), "x").toString()));

    List<JobSettings> jobs =
        Config.load(
                new SettingSources(file, true, Map.of(), List.of("ingest.source.topics=orders")),
                Set.of(Concern.SOURCE))
            .jobs();

    assertThat(jobs)
        .extracting(JobSettings::name)
        .containsExactly("count", "publish", "tell-billing");
  }

  @Test
  void problemsNameTheSettingOfTheJob() {
    assertThatThrownBy(
            () ->
                jobs(
                    "ingest.jobs.a.max-attempts=0",
                    "ingest.jobs.b.kafka.topic=x",
                    "ingest.jobs.b.http.url=http://h/",
                    "ingest.jobs.c.kafka.topic=x",
                    "ingest.jobs.c.http.timeout=5s",
                    "ingest.jobs.d.http.url=ftp://h/",
                    "ingest.jobs.e.http.url=http://user:pw@h/",
                    "ingest.jobs.f.sql.function=f(); DROP",
                    "ingest.jobs.g.kafka.topc=x",
                    "ingest.jobs.H.kafka.topic=x",
                    "ingest.jobs.i=x"))
        .hasMessageContaining("ingest.jobs.a.max-attempts=0 is below 1")
        .hasMessageContaining("ingest.jobs.a does nothing; add kafka.topic, http.url")
        .hasMessageContaining("ingest.jobs.b.kafka.topic and ingest.jobs.b.http.url are both set")
        .hasMessageContaining(
            "ingest.jobs.c.http.timeout has no effect beside ingest.jobs.c.kafka.topic")
        .hasMessageContaining("ingest.jobs.d.http.url=ftp://h/ is no address of an endpoint")
        .hasMessageContaining("ingest.jobs.e.http.url holds a user")
        .hasMessageNotContaining("pw")
        .hasMessageContaining("ingest.jobs.f.sql.function=f(); DROP is no name of a function")
        .hasMessageContaining("ingest.jobs.g.kafka.topc is no setting of a job; use routes,")
        .hasMessageContaining("ingest.jobs.H is no name of a job")
        .hasMessageContaining("ingest.jobs.i does nothing");
  }

  @Test
  void aTopicThatIsReadIsNoPlaceToPublishTo() {
    assertThatThrownBy(() -> jobs("ingest.jobs.a.kafka.topic=refunds"))
        .hasMessageContaining("ingest.jobs.a.kafka.topic=refunds is among ingest.source.topics");
  }
}
