package dev.ingest.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import dev.ingest.mapping.ColumnSource.Plain;
import dev.ingest.mapping.ValueForm.Notation;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnMappingTest {
  private static ColumnMapping parse(String text) {
    return ColumnMapping.parse("c", text);
  }

  @Test
  void sourcesAreReadAsTheyAreWritten() {
    assertThat(parse("json:/a~1b/0").source())
        .isEqualTo(new ColumnSource.Json(JsonPointer.compile("/a~1b/0")));
    assertThat(parse("header:trace id").source()).isEqualTo(new ColumnSource.Header("trace id"));
    assertThat(parse("constant:").source()).isEqualTo(new ColumnSource.Constant(""));
    assertThat(parse("constant:a | iso").source()).isEqualTo(new ColumnSource.Constant("a | iso"));
    assertThat(parse("key").source()).isEqualTo(Plain.KEY);
    assertThat(parse("now").source()).isEqualTo(Plain.NOW);
  }

  @Test
  void theFormStandsAfterTheBar() {
    assertThat(parse("json:/at | epoch-ms").form())
        .isEqualTo(new ValueForm(Notation.EPOCH_MS, null, false));
    assertThat(parse("json:/a|b | iso  zone=Europe/Berlin lossy"))
        .isEqualTo(
            new ColumnMapping(
                "c",
                new ColumnSource.Json(JsonPointer.compile("/a|b")),
                new ValueForm(Notation.ISO, ZoneId.of("Europe/Berlin"), true)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "json:",
        "json:a",
        "json:/a~2",
        "header:",
        "kye",
        "json:/a | epoch",
        "json:/a | iso hex",
        "json:/a | zone=Nowhere/Land",
        "json:/a | "
      })
  void whatIsNeitherIsRefused(String text) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theKeyColumnIsTheOneFilledFromTheKey() {
    TargetMapping mapping =
        new TargetMapping(
            "ingest.target.",
            "t",
            List.of(),
            List.of(ColumnMapping.parse("x", "topic"), ColumnMapping.parse("id", "key")));

    assertThat(mapping.keyColumns()).containsExactly("id");
  }
}
