package dev.ingest.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class HashTextPropertyTest {
  /** What surrounds a text in a larger buffer never counts, wherever the text starts. */
  @Property
  void sliceHashesAsItsCopy(
      @ForAll @Size(max = 80) byte[] bytes,
      @ForAll @IntRange(max = 20) int before,
      @ForAll @IntRange(max = 20) int after) {
    byte[] buffer = new byte[before + bytes.length + after];
    Arrays.fill(buffer, (byte) 0xa5);
    System.arraycopy(bytes, 0, buffer, before, bytes.length);

    assertThat(HashText.hash(buffer, before, bytes.length)).isEqualTo(HashText.hash(bytes));
  }

  @Property
  void textHashesAsItsUtf8Bytes(@ForAll("texts") String text) {
    assertThat(HashText.hash(text)).isEqualTo(HashText.hash(text.getBytes(UTF_8)));
  }

  /** The encoder of the JDK is the judge of what has a UTF-8 form. */
  @Property
  void textIsRefusedExactlyWhenUtf8CannotHoldIt(@ForAll("brokenAndWholeTexts") String text) {
    if (UTF_8.newEncoder().canEncode(text)) {
      assertThat(HashText.hash(text)).isEqualTo(HashText.hash(text.getBytes(UTF_8)));
    } else {
      assertThatIllegalArgumentException().isThrownBy(() -> HashText.hash(text));
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.integers()
        .between(0, Character.MAX_CODE_POINT)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .map(Character::toString)
        .list()
        .ofMaxSize(40)
        .map(characters -> String.join("", characters));
  }

  @Provide
  Arbitrary<String> brokenAndWholeTexts() {
    return Arbitraries.of("a", "\u00fc", "\ud83d", "\ude00", "\ud83d\ude00")
        .list()
        .ofMaxSize(12)
        .map(parts -> String.join("", parts));
  }
}
