package dev.ingest.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.Fields.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextRuleTest {
  private static String apply(ColumnType type, String form, State state, String text) {
    ValueForm parsed = form.isEmpty() ? ValueForm.PLAIN : ValueForm.parse(form);
    return TextRule.of(type, parsed).apply(state, text);
  }

  @Test
  void aVarcharDoesNotCutOffTrailingSpaces() {
    ColumnType three = ColumnType.of(Kind.TEXT, 3);

    assertThat(apply(three, "", State.STRING, "a€😀")).isEqualTo("a€😀");
    assertThatThrownBy(() -> apply(three, "", State.STRING, "abc "))
        .isInstanceOf(UnfitValueException.class)
        .hasMessageContaining("3 characters");
  }

  @Test
  void bytesComeAsBase64OrHex() {
    ColumnType bytes = ColumnType.of(Kind.BYTES);

    assertThat(apply(bytes, "base64", State.STRING, "AP+A")).isEqualTo("\\x00ff80");
    assertThat(apply(bytes, "base64", State.STRING, "AP-A")).isEqualTo("\\x00ff80");
    assertThat(apply(bytes, "hex", State.STRING, "00FF80")).isEqualTo("\\x00ff80");
    assertThatThrownBy(() -> apply(bytes, "base64", State.STRING, "%%"))
        .isInstanceOf(UnfitValueException.class);
    assertThatThrownBy(() -> apply(bytes, "hex", State.STRING, "0"))
        .isInstanceOf(UnfitValueException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "[];{}",
        "[1, 2.50,null];{\"1\",\"2.50\",NULL}",
        "[\"a\\\"b\\\\c\",\"NULL\",\"\",\"{,}\"];{\"a\\\"b\\\\c\",\"NULL\",\"\",\"{,}\"}",
        "[[1,2],[3,4]];{{\"1\",\"2\"},{\"3\",\"4\"}}",
        "[{\"a\": [1]}];{\"{\\\"a\\\": [1]}\"}",
        "[true];{\"true\"}"
      })
  void jsonArraysBecomeArrayLiterals(String array, String literal) {
    ColumnType texts = ColumnType.arrayOf(ColumnType.of(Kind.OTHER));

    assertThat(apply(texts, "", State.STRUCTURE, array)).isEqualTo(literal);
  }

  @Test
  void elementsOfJsonArraysStayJson() {
    ColumnType documents = ColumnType.arrayOf(ColumnType.of(Kind.JSON));

    assertThat(apply(documents, "", State.STRUCTURE, "[ \"a\" , [1, 2] , 1.0]"))
        .isEqualTo("{\"\\\"a\\\"\",\"[1, 2]\",\"1.0\"}");
  }

  @Test
  void elementsObeyTheRuleOfTheirType() {
    ColumnType times = ColumnType.arrayOf(ColumnType.of(Kind.TIMESTAMPTZ));

    assertThat(apply(times, "epoch-s", State.STRUCTURE, "[0,1]"))
        .isEqualTo("{\"1970-01-01 00:00:00+00\",\"1970-01-01 00:00:01+00\"}");
    assertThatThrownBy(() -> apply(times, "", State.STRUCTURE, "[0]"))
        .isInstanceOf(UnfitValueException.class);
    assertThatThrownBy(() -> apply(times, "", State.STRUCTURE, "[[]]"))
        .hasMessageContaining("empty array");
  }

  @Test
  void anArrayLiteralIsTheServersToRead() {
    ColumnType numbers = ColumnType.arrayOf(ColumnType.of(Kind.INTEGER));

    assertThat(apply(numbers, "", State.STRING, "{1,2}")).isEqualTo("{1,2}");
    assertThat(apply(numbers, "", State.STRUCTURE, "{\"a\":1}")).isEqualTo("{\"a\":1}");
  }

  @ParameterizedTest
  @CsvSource({
    "TEXT,epoch-ms",
    "INTEGER,lossy",
    "NUMERIC,epoch-ms",
    "BYTES,zone=UTC",
    "TIMESTAMPTZ,base64",
    "JSON,hex",
    "DATE,zone=UTC",
    "OTHER,iso",
    "BYTES,lossy"
  })
  void aFormThatTheTypeHasNoUseForIsRefused(Kind kind, String form) {
    assertThatThrownBy(() -> TextRule.of(ColumnType.of(kind), ValueForm.parse(form)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("has a form");
  }
}
