package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
  @Test
  void legalNamesAreNames() {
    assertThat(Topics.parse("orders.v1, pay_ments-2"))
        .isEqualTo(new Topics.Names(List.of("orders.v1", "pay_ments-2")));
  }

  @Test
  void anyOtherCharacterMakesAPattern() {
    assertThat(Topics.parse("orders-.*")).isEqualTo(new Topics.Matching("orders-.*"));
    assertThat(Topics.parse("t[0-9]{1,3}")).isEqualTo(new Topics.Matching("t[0-9]{1,3}"));
  }

  @Test
  void patternMatchesTheWholeName() {
    assertThat(Topics.parse("orders-.*").includes("orders-eu")).isTrue();
    assertThat(Topics.parse("orders-.*").includes("old-orders-eu")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b-.*", "a,,b", "a,a", "..", "(", "a,"})
  void everythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Topics.parse(text)).isInstanceOf(InvalidValue.class);
  }
}
