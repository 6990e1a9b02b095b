package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.IngestException;
import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TargetSettingsTest {
  private static Config load(Map<String, String> environment, String... assignments) {
    return Config.load(
        new SettingSources(
            Path.of("none.yaml"),
            false,
            environment,
            Stream.concat(Stream.of("ingest.source.topics=t"), Stream.of(assignments)).toList()),
        Set.of());
  }

  @Test
  void withoutSettingsTheDefaultTableIsTheTarget() {
    assertThat(load(Map.of()).routes().get(0).target()).isEqualTo(TargetMapping.event());
  }

  @Test
  void columnsKeepTheirNamesAsTheyAreWritten() {
    TargetMapping target =
        load(
                Map.of(),
                "ingest.target.table=app.quake",
                "ingest.target.key-columns=Id, at",
                "ingest.target.columns.Id=json:/id",
                "ingest.target.columns.a.b=constant:x",
                "ingest.target.columns.at=json:/time | epoch-ms")
            .routes()
            .get(0)
            .target();

    assertThat(target)
        .isEqualTo(
            new TargetMapping(
                "ingest.target.",
                "app.quake",
                List.of("Id", "at"),
                List.of(
                    ColumnMapping.parse("Id", "json:/id"),
                    ColumnMapping.parse("a.b", "constant:x"),
                    ColumnMapping.parse("at", "json:/time | epoch-ms"))));
  }

  @Test
  void underscoresOfAVariableStayInAColumnsName() {
    TargetMapping target =
        load(
                Map.of(
                    "INGEST_TARGET_TABLE",
                    "app.t",
                    "INGEST_TARGET_COLUMNS_OCCURRED_AT",
                    "timestamp"),
                "ingest.target.columns.id=key")
            .routes()
            .get(0)
            .target();

    assertThat(target.columns())
        .extracting(ColumnMapping::column)
        .containsExactly("id", "occurred_at");
    assertThat(target.keyColumns()).containsExactly("id");
  }

  @Test
  void aWrongSourceIsToldWithItsSetting() {
    assertThatThrownBy(
            () ->
                load(
                    Map.of(),
                    "ingest.target.columns.id=kye",
                    "ingest.target.columns.at=json:/at | epoch-min",
                    "ingest.target.key-columns=a,,b"))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("ingest.target.columns.id=kye is no source of a column; use")
        .hasMessageContaining(
            "ingest.target.columns.at=json:/at | epoch-min has a form that is unknown")
        .hasMessageContaining("ingest.target.key-columns=a,,b holds an empty name");
  }

  @Test
  void aTableWithoutColumnsIsRefused() {
    assertThatThrownBy(() -> load(Map.of(), "ingest.target.table=app.t"))
        .hasMessageContaining("add ingest.target.columns.NAME");
  }
}
