package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigValue;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentLayerTest {
  @ParameterizedTest
  @CsvSource({
    "INGEST_BATCH_MAX_EVENTS, ingest.batch.max-events",
    "INGEST_POSTGRES_PASSWORD_FILE, ingest.postgres.password-file",
    "INGEST_KAFKA_BOOTSTRAP_SERVERS, ingest.kafka.bootstrap.servers",
    "INGEST_KAFKA_SSL_KEY_PASSWORD_FILE, ingest.kafka.ssl.key.password-file"
  })
  void variableStandsForAKey(String variable, String key) {
    assertThat(read(variable, "x").values()).extracting(ConfigValue::getName).containsExactly(key);
  }

  @Test
  void unknownVariableIsAProblemWithoutItsValue() {
    assertThat(read("INGEST_BATCH_MAX_EVENT", "hunter2").problems())
        .containsExactly(
            "INGEST_BATCH_MAX_EVENT is no setting; did you mean INGEST_BATCH_MAX_EVENTS?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PATH",
        "INGESTED_X",
        "INGEST_CONFIG",
        "INGEST_TEST_POSTGRES_URL",
        "INGEST_SERVICE_HOST",
        "INGEST_SERVICE_PORT_HTTP",
        "INGEST_PORT",
        "INGEST_PORT_8080_TCP_ADDR",
        "INGEST_CONSOLE_SERVICE_HOST"
      })
  void foreignVariableIsLeftAlone(String variable) {
    assertThat(read(variable, "x").problems()).isEmpty();
    assertThat(read(variable, "x").values()).isEmpty();
  }

  @Test
  void serviceLinkInPlaceOfASettingIsNamed() {
    assertThat(read("INGEST_HTTP_PORT", "tcp://10.0.0.1:80").problems())
        .singleElement()
        .asString()
        .contains("Kubernetes")
        .contains("enableServiceLinks");
  }

  @Test
  void emptyVariableCountsAsAbsent() {
    assertThat(read("INGEST_BATCH_LINGER", "").values()).isEmpty();
    assertThat(read("INGEST_BATCH_LINGER", "").problems()).isEmpty();
  }

  private static Layer read(String variable, String value) {
    return EnvironmentLayer.read(Map.of(variable, value), 300);
  }
}
