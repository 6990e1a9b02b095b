package dev.ingest.app.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Header;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeaderTextTest {
  @Test
  void headersComeBackInOrderWithRepeatsBytesAndAbsentValues() {
    List<Header> headers =
        List.of(
            new Header("trace", "a,b:c".getBytes(UTF_8)),
            new Header("trace", new byte[] {0, -1, 127}),
            new Header("ü ,:", null),
            new Header("", new byte[0]),
            new Header("", null));

    assertThat(shown(HeaderText.read(HeaderText.of(headers)))).isEqualTo(shown(headers));
  }

  @Test
  void noHeadersAreTheEmptyText() {
    assertThat(HeaderText.of(List.of())).isEmpty();
    assertThat(HeaderText.read("")).isEmpty();
    assertThat(HeaderText.read(HeaderText.of(List.of(new Header("", null))))).hasSize(1);
  }

  private static List<String> shown(List<Header> headers) {
    return headers.stream().map(each -> each.name() + Arrays.toString(each.value())).toList();
  }
}
