package dev.ingest.app.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.IngestException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SendPlanTest {
  @Test
  void edgesAreAllowed() {
    assertThat(plan("/", 1, 0)).isNotNull();
    assertThat(plan(null, Integer.MAX_VALUE, 99)).isNotNull();
  }

  @Test
  void whatCannotBeSentIsRefusedWithTheValueAndTheWayOut() {
    assertRefused("/id", 0, 0, "CONFIG_INVALID: repeat=0 is below 1.");
    assertRefused("/id", 1, -1, "CONFIG_INVALID: duplicates=-1 is outside 0..99.");
    assertRefused("/id", 1, 100, "CONFIG_INVALID: duplicates=100 is outside 0..99.");
    assertRefused(
        "id", 1, 0, "CONFIG_INVALID: key=id is no JSON pointer; write it as in /order/id.");
  }

  private static void assertRefused(
      @Nullable String pointer, int repeat, int duplicates, String message) {
    assertThatThrownBy(() -> plan(pointer, repeat, duplicates))
        .isInstanceOf(IngestException.class)
        .hasMessage(message);
  }

  private static SendPlan plan(@Nullable String pointer, int repeat, int duplicates) {
    return new SendPlan("orders", pointer, repeat, duplicates, false, 1);
  }
}
