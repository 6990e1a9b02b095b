package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Takes the record key as the business key: UTF-8 text, not empty, without U+0000. */
public final class RecordKey implements EventReader {
  @Override
  public Reading read(Event event) {
    byte[] key = event.key();
    if (key == null) {
      return new Reading.Rejected("the record has no key");
    }
    return decode(key, "the record key");
  }

  /**
   * Reads bytes as a business key.
   *
   * @param what names the place for the reason, such as {@code the record key}
   */
  static Reading decode(byte[] bytes, String what) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new Reading.Keyed(new BusinessKey(text));
    } catch (CharacterCodingException notUtf8) {
      return new Reading.Rejected(what + " is not valid UTF-8");
    } catch (IllegalArgumentException unfit) {
      return new Reading.Rejected(what + ": " + unfit.getMessage());
    }
  }
}
