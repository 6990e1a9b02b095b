package dev.ingest.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.Reading;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CoreSettingsTest {
  private static final Event TOMBSTONE =
      new Event(new TopicPartition("t", 0), 7, 0, "a".getBytes(UTF_8), null, List.of());

  private static Reading read(String... settings) {
    Config config =
        Config.load(
            new SettingSources(
                Path.of("none.yaml"),
                false,
                Map.of(),
                Stream.concat(Stream.of("ingest.source.topics=t"), Stream.of(settings)).toList()),
            Set.of(Concern.SOURCE));
    return CoreSettings.reader(config, config.routes().get(0)).read(TOMBSTONE);
  }

  private static boolean deletes(Reading reading) {
    return reading instanceof Reading.Keyed keyed && keyed.event().isDeletion();
  }

  @Test
  void tombstoneIsReadAsTheSettingsSay() {
    assertThat(read()).isInstanceOf(Reading.Keyed.class).matches(each -> !deletes(each));
    assertThat(read("ingest.tombstone=skip", "ingest.key.from=json:/id"))
        .isEqualTo(new Reading.Skipped());
    assertThat(read("ingest.tombstone=park")).isInstanceOf(Reading.Rejected.class);
    assertThat(read("ingest.tombstone=delete")).matches(CoreSettingsTest::deletes);
    assertThat(read("ingest.tombstone=soft-delete(gone)")).matches(CoreSettingsTest::deletes);
  }

  /** What follows a Debezium delete. */
  @Test
  void tombstoneNeedsNoEnvelope() {
    assertThat(read("ingest.tombstone=delete", "ingest.value.envelope=debezium"))
        .matches(CoreSettingsTest::deletes);
  }
}
