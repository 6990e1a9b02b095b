package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretNamesTest {
  static Stream<ConfigDef.ConfigKey> kafkaKeys() {
    return Stream.of(
            ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef())
        .flatMap(definition -> definition.configKeys().values().stream());
  }

  @Test
  void kafkasSecretsAreSecretAndItsOtherSettingsAreNot() {
    assertThat(kafkaKeys())
        .allSatisfy(
            key ->
                assertThat(SecretNames.matches(key.name))
                    .as(key.name)
                    .isEqualTo(key.type == ConfigDef.Type.PASSWORD));
  }

  @ParameterizedTest
  @MethodSource("kafkaKeys")
  void everyKafkaSettingHasAVariable(ConfigDef.ConfigKey key) {
    String full = Settings.KAFKA.prefix() + key.name;

    assertThat(Settings.KAFKA.keyOf(Setting.environmentName(full))).contains(full);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ingest.postgres.password",
        "ingest.kafka.schema.registry.basic.auth.user.info",
        "ingest.kafka.some.Api.Key",
        "ingest.kafka.x.access-token"
      })
  void namesOfOtherClientsAreCaughtByTheirWords(String name) {
    assertThat(SecretNames.matches(name)).isTrue();
  }

  @Test
  void placeOfASecretIsNoSecret() {
    assertThat(List.of("ingest.postgres.password-file", "ingest.kafka.ssl.keystore.location"))
        .noneMatch(SecretNames::matches);
  }
}
