package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import java.util.List;

/**
 * Takes the business key out of an event: one place, or several joined so that different parts
 * never give the same key: {@code |} parts them, {@code \} escapes both signs. Immutable,
 * thread-safe.
 */
public final class KeyReader implements EventReader {
  private final List<KeyPart> parts;

  public KeyReader(List<KeyPart> parts) {
    this.parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("A business key comes from at least one place.");
    }
  }

  /** The record key is the business key. */
  public static KeyReader recordKey() {
    return new KeyReader(List.of(KeyPart.recordKey()));
  }

  @Override
  public Reading read(Event event) {
    StringBuilder joined = new StringBuilder();
    for (KeyPart part : parts) {
      KeyPart.Found found = part.find(event);
      if (found instanceof KeyPart.Found.Nothing nothing) {
        return new Reading.Rejected(nothing.reason());
      }
      String text = ((KeyPart.Found.Text) found).value();
      if (parts.size() == 1) {
        return key(text);
      }
      joined.append(joined.isEmpty() ? "" : "|").append(escape(text));
    }
    return key(joined.toString());
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("|", "\\|");
  }

  private static Reading key(String text) {
    try {
      return new Reading.Keyed(new BusinessKey(text));
    } catch (IllegalArgumentException unfit) {
      return new Reading.Rejected(String.valueOf(unfit.getMessage()));
    }
  }
}
