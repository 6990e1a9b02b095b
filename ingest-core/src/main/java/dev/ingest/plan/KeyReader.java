package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import java.util.List;
import java.util.Objects;

/**
 * Takes the business key out of an event: one place, or several joined so that different parts
 * never give the same key: {@code |} parts them, {@code \} escapes both signs. Immutable,
 * thread-safe.
 */
public final class KeyReader implements EventReader {
  private final List<KeyPart> parts;
  private final KeyRules rules;

  /** Keys are taken as they are. */
  public KeyReader(List<KeyPart> parts) {
    this(parts, KeyRules.NONE);
  }

  public KeyReader(List<KeyPart> parts, KeyRules rules) {
    this.parts = List.copyOf(parts);
    this.rules = Objects.requireNonNull(rules, "rules");
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
    for (int i = 0; i < parts.size(); i++) {
      KeyPart.Found found = parts.get(i).find(event);
      if (found instanceof KeyPart.Found.Nothing nothing) {
        return new Reading.Rejected(nothing.reason());
      }
      String text = rules.normalize(((KeyPart.Found.Text) found).value());
      if (parts.size() == 1) {
        return key(text, event);
      }
      joined.append(i == 0 ? "" : "|").append(escape(text));
    }
    return key(joined.toString(), event);
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("|", "\\|");
  }

  private Reading key(String text, Event event) {
    if (rules.refuses(text)) {
      return new Reading.Rejected(
          "business key is longer than the " + KeyRules.MAX_BYTES + " bytes that an index holds");
    }
    try {
      return new Reading.Keyed(new BusinessKey(rules.stored(text)), event);
    } catch (IllegalArgumentException unfit) {
      return new Reading.Rejected(String.valueOf(unfit.getMessage()));
    }
  }
}
