package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPartTest {
  @Test
  void severalPartsKeepTheirOrder() {
    assertThat(KeyPart.parseAll("json:/a,b/c, header:tenant,record-key"))
        .containsExactly(
            new KeyPart.JsonValue("/a,b/c"),
            new KeyPart.HeaderValue("tenant"),
            new KeyPart.RecordKey());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id",
        "header:",
        "json:",
        "json:id",
        "json:/a~2",
        "json:/a~",
        "record-key,x",
        "record-keys"
      })
  void everythingElseIsRefused(String text) {
    assertThatThrownBy(() -> KeyPart.parseAll(text)).isInstanceOf(InvalidValue.class);
  }
}
