package dev.ingest.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashTextTest {
  @Test
  void equalsTheServerOnEveryVector() throws IOException {
    List<String> vectors = lines("hashtext-vectors.tsv");

    assertThat(vectors).hasSize(840);
    assertSoftly(
        softly -> {
          for (String vector : vectors) {
            String[] columns = vector.split("\t", -1);
            byte[] utf8 = HexFormat.of().parseHex(columns[0]);
            int expected = Integer.parseInt(columns[1]);
            softly.assertThat(HashText.hash(utf8)).as("bytes %s", columns[0]).isEqualTo(expected);
            softly
                .assertThat(HashText.hash(new String(utf8, UTF_8)))
                .as("text of %s", columns[0])
                .isEqualTo(expected);
          }
        });
  }

  @Test
  void vectorsHaveEveryLengthUpToFiveBlocks() throws IOException {
    assertThat(lines("hashtext-vectors.tsv"))
        .extracting(line -> line.indexOf('\t') / 2)
        .containsAll(IntStream.rangeClosed(0, 60).boxed().toList());
  }

  @Test
  void collidingKeysCollideHereToo() throws IOException {
    List<String> collisions = lines("hashtext-collisions.tsv");

    assertThat(collisions).hasSize(12);
    for (String collision : collisions) {
      String[] columns = collision.split("\t", -1);
      assertThat(columns[0]).isNotEqualTo(columns[1]);
      assertThat(List.of(HashText.hash(columns[0]), HashText.hash(columns[1])))
          .containsOnly(Integer.parseInt(columns[2]));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\ude00", "a\ud83d", "\ud83db", "\ude00\ud83d", "\ud83d\ud83d"})
  void unpairedSurrogateIsRefused(String broken) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HashText.hash(broken))
        .withMessageContaining("unpaired surrogate at index");
  }

  @Test
  void rangeOutsideTheArrayIsRefused() {
    byte[] bytes = new byte[16];

    assertThatThrownBy(() -> HashText.hash(bytes, 5, 12))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> HashText.hash(bytes, -1, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> HashText.hash(bytes, 0, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void probesReachEveryPlaceOfABlock() {
    assertThat(HashText.PROBES).contains("").doesNotHaveDuplicates().isUnmodifiable();
    assertThat(lengthsInABlock(true)).hasSize(12);
    assertThat(lengthsInABlock(false)).hasSize(12);
    assertThat(HashText.PROBES).anyMatch(probe -> probe.codePoints().anyMatch(c -> c > 0xffff));
  }

  private static List<Integer> lengthsInABlock(boolean ascii) {
    return HashText.PROBES.stream()
        .filter(probe -> probe.chars().allMatch(c -> c < 0x80) == ascii)
        .map(probe -> probe.getBytes(UTF_8).length % 12)
        .distinct()
        .collect(Collectors.toList());
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = HashTextTest.class.getResourceAsStream("/hashtext/" + resource)) {
      return new String(Objects.requireNonNull(in, resource).readAllBytes(), UTF_8)
          .lines()
          .toList();
    }
  }
}
