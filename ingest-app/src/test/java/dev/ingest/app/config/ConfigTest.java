package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.IngestException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {
  private static final String[] ENOUGH = {
    "ingest.source.topics=orders",
    "ingest.kafka.bootstrap.servers=localhost:9092",
    "ingest.postgres.url=jdbc:postgresql://localhost/app",
    "ingest.postgres.user=app"
  };

  @Test
  void defaultsAreThoseOfTheTable() {
    Config config = load(Map.of(), ENOUGH);

    assertThat(config.source())
        .isEqualTo(
            new SourceSettings(
                new Topics.Names(List.of("orders")), "ingest", 1, SourceSettings.Start.EARLIEST));
    assertThat(config.key().parts()).containsExactly(new KeyPart.RecordKey());
    assertThat(config.batch())
        .isEqualTo(new BatchSettings(1000, 8 << 20, Duration.ofMillis(5), 16 << 20));
    assertThat(config.lock().mode()).isEqualTo(LockSettings.Mode.KEY);
    assertThat(config.lock().budget()).isEmpty();
    assertThat(config.lock().namespace()).isEmpty();
    assertThat(config.lock().timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.postgres().password()).isEqualTo(Secret.NONE);
    assertThat(config.errors()).isEqualTo(new ErrorSettings(ErrorSettings.BadEvent.PARK, "", 0.5));
    assertThat(config.http()).isEqualTo(new HttpSettings(true, "127.0.0.1", 8080));
    assertThat(config.closeTimeout()).isEqualTo(Duration.ofSeconds(25));
  }

  @Test
  void assignmentBeatsEnvironmentAndTheLastAssignmentBeatsTheFirst() {
    Map<String, String> environment =
        Map.of("INGEST_BATCH_MAX_EVENTS", "20", "INGEST_BATCH_LINGER", "7ms");

    Config config =
        load(environment, and("ingest.batch.max-events=30", "ingest.batch.max-events=40"));

    assertThat(config.batch().maxEvents()).isEqualTo(40);
    assertThat(config.batch().linger()).isEqualTo(Duration.ofMillis(7));
  }

  @Test
  void allProblemsAreReportedAtOnceInOneLine() {
    assertThatThrownBy(
            () ->
                load(
                    Map.of("INGEST_BATCH_LINGER", "5"),
                    "ingest.source.topics=orders",
                    "ingest.kafka.bootstrap.servers=localhost:9092",
                    "ingest.postgres.user=app",
                    "ingest.batch.max-events=0",
                    "ingest.lock.mod=none"))
        .isInstanceOf(IngestException.class)
        .hasMessage(
            "CONFIG_INVALID: 4 problems."
                + " ingest.batch.max-events=0 is below 1; use 1..100000 (--set)."
                + " ingest.batch.linger=5 is not a duration such as 5ms, 5s, 10m, 7d; give a whole"
                + " number and a unit (INGEST_BATCH_LINGER)."
                + " ingest.postgres.url is missing; set it or INGEST_POSTGRES_URL."
                + " ingest.lock.mod is no setting; did you mean ingest.lock.mode? (--set).");
  }

  @Test
  void onlyTheConcernsThatAreNeededMustBeComplete() {
    Config config =
        Config.load(
            sources(
                Map.of(), "ingest.postgres.url=jdbc:postgresql:app", "ingest.postgres.user=app"),
            Set.of(Concern.POSTGRES));

    assertThat(config.postgres().url()).isEqualTo("jdbc:postgresql:app");
    assertThatThrownBy(config::source)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("ingest.source.topics");
  }

  @Test
  void kafkaNamesArePassedOnAsTheyAre() {
    Config config =
        load(
            Map.of("INGEST_KAFKA_FETCH_MAX_BYTES", "1000", "INGEST_KAFKA_SASL_JAAS_CONFIG", "a b;"),
            and("ingest.kafka.client.id=me", "ingest.kafka.client.rack=$r${x}\\,y"));

    assertThat(config.kafka().properties())
        .containsOnly(
            Map.entry("bootstrap.servers", "localhost:9092"),
            Map.entry("client.id", "me"),
            Map.entry("client.rack", "$r${x}\\,y"),
            Map.entry("fetch.max.bytes", "1000"),
            Map.entry("sasl.jaas.config", "a b;"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ingest.lock.stripes=8 | has an effect only with ingest.lock.mode=stripe
          ingest.lock.mode=none ingest.lock.namespace=7 | namespace=7 has an effect only with ingest.lock.mode=key or stripe
          ingest.lock.mode=none ingest.lock.budget=7 | budget=7 has an effect only with
          ingest.lock.timeout=31s | leaves no room below ingest.postgres.statement-timeout=30s
          ingest.postgres.statement-timeout=45s | leaves no room below ingest.postgres.socket-timeout=45s
          ingest.kafka.max.poll.interval.ms=45000 | socket-timeout=45s lets one statement outlast
          ingest.postgres.socket-timeout=10s ingest.postgres.statement-timeout=6s ingest.kafka.max.poll.interval.ms=19999 | leaves no room for handing partitions over
          ingest.kafka.group.protocol=consumer ingest.kafka.session.timeout.ms=4000 | session.timeout.ms has no place with
          ingest.buffer.max-bytes=4MiB | max-bytes=8MiB leaves no room below ingest.buffer.max-bytes=4MiB
          ingest.errors.bad-event=dead-letter | ingest.errors.dead-letter-topic is missing
          ingest.errors.dead-letter-topic=dlt | has an effect only with ingest.errors.bad-event=dead-letter
          ingest.errors.bad-event=dead-letter ingest.errors.dead-letter-topic=orders | would come round again
          ingest.kafka.group.id=mine | cannot be set; use ingest.source.group-id
          ingest.kafka.enable.auto.commit=true | cannot be set; offsets are committed after
          """)
  void contradictionIsRefused(String assignments, String reason) {
    assertThatThrownBy(() -> load(Map.of(), and(assignments.split(" "))))
        .hasMessageStartingWith("CONFIG_INVALID: 1 problem. ")
        .hasMessageContaining(reason);
  }

  @Test
  void batchAsLargeAsTheBufferIsFine() {
    assertThat(load(Map.of(), and("ingest.buffer.max-bytes=8MiB")).batch().bufferBytes())
        .isEqualTo(8 << 20);
  }

  @Test
  void effectiveSettingsTellTheOriginAndMaskSecrets() {
    Config config =
        load(
            Map.of("INGEST_POSTGRES_PASSWORD", "hunter2"),
            and("ingest.kafka.ssl.key.password=hunter3", "ingest.kafka.client.id=me"));

    assertThat(config.effective())
        .contains(
            new EffectiveSetting("ingest.source.topics", "orders", "--set"),
            new EffectiveSetting("ingest.batch.linger", "5ms", "default"),
            new EffectiveSetting("ingest.lock.namespace", "", "unset"),
            new EffectiveSetting(
                "ingest.postgres.password", "********", "INGEST_POSTGRES_PASSWORD"),
            new EffectiveSetting("ingest.kafka.ssl.key.password", "********", "--set"),
            new EffectiveSetting("ingest.kafka.client.id", "me", "--set"));
    assertThat(
            List.of(config.effective(), config.postgres(), config.kafka(), config.source(), config))
        .asString()
        .doesNotContain("hunter");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ingest.postgres.pasword=hunter2
          ingest.postgres.url=jdbc:postgresql://h/d?password=hunter2
          ingest.postgres.url=jdbc:postgresql://u:hunter2@h/d
          --password hunter2
          hunter2
          ingest.kafka.group.id=hunter2
          """)
  void noProblemShowsAValueThatMayBeSecret(String assignment) {
    assertThatThrownBy(() -> load(Map.of(), and(assignment)))
        .isInstanceOf(IngestException.class)
        .message()
        .doesNotContain("hunter2");
  }

  @Test
  void valueOfManyLinesStaysOneLine() {
    assertThatThrownBy(() -> load(Map.of("INGEST_BATCH_LINGER", "5\n\tms"), ENOUGH))
        .hasMessageContaining("ingest.batch.linger=5??ms is not a duration");
  }

  private static String[] and(String... more) {
    String[] all = Arrays.copyOf(ENOUGH, ENOUGH.length + more.length);
    System.arraycopy(more, 0, all, ENOUGH.length, more.length);
    return all;
  }

  private static SettingSources sources(Map<String, String> environment, String... assignments) {
    return new SettingSources(Path.of("absent.yaml"), false, environment, List.of(assignments));
  }

  private static Config load(Map<String, String> environment, String... assignments) {
    return Config.load(sources(environment, assignments), Set.of(Concern.values()));
  }
}
