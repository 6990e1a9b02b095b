package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigValue;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlLayerTest {
  @Test
  void namesMayBeNestedOrDotted() {
    Layer layer =
        read(
            """
            ingest:
              batch: {max-events: 500}
              kafka:
                bootstrap.servers: a:1
            ingest.batch.linger: 1ms
            """);

    assertThat(layer.problems()).isEmpty();
    assertThat(layer.values())
        .extracting(ConfigValue::getName, ConfigValue::getValue, ConfigValue::getLineNumber)
        .containsExactly(
            tuple("ingest.batch.linger", "1ms", 5),
            tuple("ingest.batch.max-events", "500", 2),
            tuple("ingest.kafka.bootstrap.servers", "a:1", 4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"007", "1_000", "no", "2026-01-02", "1e3", "0x1F", "~user", "12:30:45"})
  void valueStaysAsWritten(String text) {
    assertThat(read("a: " + text).values()).extracting(ConfigValue::getValue).containsExactly(text);
  }

  @Test
  void listIsJoined() {
    assertThat(read("a: [x, y]\nb:\n  - z\n").values())
        .extracting(ConfigValue::getValue)
        .containsExactly("x,y", "z");
  }

  @Test
  void listOfGroupsIsNumbered() {
    assertThat(read("a: [{x: 1}, {x: 2}]").values())
        .extracting(ConfigValue::getName)
        .containsExactly("a[0].x", "a[1].x");
  }

  @Test
  void nameGivenTwiceIsAProblemInWhicheverForm() {
    assertThat(read("ingest:\n  a: 1\ningest.a: 2\n").problems())
        .containsExactly("ingest.a is set twice; keep one (file.yaml:3)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:", "a: ''", "a: ~", "a: null", "a: []"})
  void nameWithoutAValueIsAProblem(String yaml) {
    assertThat(read(yaml).problems())
        .containsExactly("a has no value; give one or leave it out (file.yaml:1)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing yet", "---", "~"})
  void emptyFileIsFine(String yaml) {
    assertThat(read(yaml).problems()).isEmpty();
    assertThat(read(yaml).values()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password: *hunter2",
        "password: %hunter2",
        "password: [hunter2",
        "password: \"hunter2",
        "password: !!java.io.File [hunter2",
        "- hunter2",
        "hunter2",
        "a: 1\n---\npassword: hunter2",
        "? [hunter2]\n: 1",
        "\u0001hunter2"
      })
  void brokenFileIsAProblemThatQuotesNothing(String yaml) {
    assertThat(read(yaml).problems())
        .hasSize(1)
        .allSatisfy(problem -> assertThat(problem).doesNotContain("hunter").doesNotContain("\n"));
  }

  @Test
  void aliasIsRefusedAlsoWhenItHoldsItself() {
    assertThat(read("a: &x {b: *x}").problems()).singleElement().asString().contains("alias");
    assertThat(read("a: &x {c: 1}\nd: *x").problems()).singleElement().asString().contains("alias");
  }

  private static org.assertj.core.groups.Tuple tuple(Object... values) {
    return org.assertj.core.groups.Tuple.tuple(values);
  }

  private static Layer read(String yaml) {
    return YamlLayer.read("file.yaml", new StringReader(yaml), 100);
  }
}
