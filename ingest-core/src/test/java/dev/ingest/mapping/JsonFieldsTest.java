package dev.ingest.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import dev.ingest.mapping.Fields.State;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {
  private final JsonFields reader = new JsonFields();

  private int text(String pointer) {
    return reader.add(JsonPointer.compile(pointer), false);
  }

  private int json(String pointer) {
    return reader.add(JsonPointer.compile(pointer), true);
  }

  private Fields read(String document) {
    Fields fields = reader.newFields();
    reader.read(document.getBytes(UTF_8), fields);
    return fields;
  }

  @Test
  void onePassFindsManyPointers() {
    int magnitude = text("/properties/mag");
    int place = text("/properties/place");
    int longitude = text("/geometry/coordinates/0");
    int depth = text("/geometry/coordinates/2");
    int id = text("/id");

    Fields fields =
        read(
            """
            {"properties":{"mag":0.310,"x":{"mag":9},"place":"Îles\\u00e9"},"list":[1,{"id":7}],
             "geometry":{"coordinates":[-122.1970, 46, 3.28e0]},"id":"uw1"}""");

    assertThat(fields.text(magnitude)).isEqualTo("0.310");
    assertThat(fields.text(place)).isEqualTo("Îlesé");
    assertThat(fields.text(longitude)).isEqualTo("-122.1970");
    assertThat(fields.text(depth)).isEqualTo("3.28e0");
    assertThat(fields.text(id)).isEqualTo("uw1");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      value = {
        "{},ABSENT",
        "{\"a\":null},NULL",
        "{\"a\":\"\"},STRING",
        "{\"a\":-0.0e-7},NUMBER",
        "{\"a\":false},BOOLEAN",
        "{\"a\":{}},STRUCTURE",
        "{\"a\":[]},STRUCTURE",
        "[1],ABSENT",
        "7,ABSENT"
      })
  void absentNullAndEmptyAreDifferent(String document, State state) {
    int slot = text("/a");

    assertThat(read(document).state(slot)).isEqualTo(state);
  }

  @Test
  void jsonIsTakenByteForByte() {
    int structure = json("/a");
    int string = json("/b");
    int number = json("/c");
    int inside = text("/a/x");

    Fields fields =
        read("{ \"a\" : { \"x\" : [ 1.0 , \"ü\" ] } , \"b\" : \"\\u00fc\\n\" , \"c\": 1e2 }");

    assertThat(fields.text(structure)).isEqualTo("{ \"x\" : [ 1.0 , \"ü\" ] }");
    assertThat(fields.text(string)).isEqualTo("\"\\u00fc\\n\"");
    assertThat(fields.text(number)).isEqualTo("1e2");
    assertThat(fields.text(inside)).isEqualTo("[ 1.0 , \"ü\" ]");
  }

  @Test
  void aPointerMeansAnIndexInAnArrayAndANameInAnObject() {
    int slot = text("/a/1");

    assertThat(read("{\"a\":[5,6]}").text(slot)).isEqualTo("6");
    assertThat(read("{\"a\":{\"0\":5,\"1\":6}}").text(slot)).isEqualTo("6");
  }

  @Test
  void aSlotKeepsNothingOfTheDocumentBefore() {
    int slot = text("/a");
    Fields fields = reader.newFields();

    reader.read("{\"a\":1}".getBytes(UTF_8), fields);
    reader.read("{}".getBytes(UTF_8), fields);

    assertThat(fields.state(slot)).isEqualTo(State.ABSENT);
    assertThat(fields.text(slot)).isNull();
  }

  @Test
  void aTombstoneHasNoFields() {
    int slot = text("/a");
    Fields fields = reader.newFields();

    reader.read(null, fields);

    assertThat(fields.state(slot)).isEqualTo(State.ABSENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a\":1}}",
        "{\"a\":1}{}",
        "{\"a\":01}",
        "{\"a\":NaN}",
        "{'a':1}",
        "{\"a\":1,}",
        "[1 2]",
        "{\"b\":\"\u0001\"}",
        "nul"
      })
  void whatIsNotOneDocumentIsRefused(String document) {
    text("/a");

    assertThatThrownBy(() -> read(document))
        .isInstanceOf(UnfitValueException.class)
        .hasMessageContaining("JSON");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":1,\"a\":2}", "{\"b\":{\"c\":1},\"b\":{}}", "{\"a\":null,\"a\":1}"})
  void aFieldThatComesTwiceIsRefused(String document) {
    text("/a");
    text("/b/c");

    assertThatThrownBy(() -> read(document)).hasMessageContaining("twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":\"\\u0000\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00x\"}"})
  void textThatTheServerCannotHoldIsRefused(String document) {
    text("/a");

    assertThatThrownBy(() -> read(document)).isInstanceOf(UnfitValueException.class);
  }

  @Test
  void anEscapedBackslashBeforeU0000Survives() {
    int slot = text("/a");

    assertThat(read("{\"a\":\"\\\\u0000\"}").text(slot)).isEqualTo("\\u0000");
  }

  @Test
  void anotherEncodingIsNotGuessed() {
    text("/a");
    Fields fields = reader.newFields();

    assertThatThrownBy(() -> reader.read("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE), fields))
        .isInstanceOf(UnfitValueException.class);
  }

  @Test
  void depthAndLengthAreForTheServerToBound() {
    int slot = text("/n");
    String deep = "[".repeat(20_000) + "]".repeat(20_000);
    String digits = "9".repeat(100_000);

    assertThat(read("{\"d\":" + deep + ",\"n\":" + digits + "}").text(slot)).isEqualTo(digits);
  }
}
