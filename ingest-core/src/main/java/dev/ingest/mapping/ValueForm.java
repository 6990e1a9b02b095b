package dev.ingest.mapping;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the text of a value is to be read, where the column's type does not say it alone. Immutable.
 *
 * @param notation how a time or bytes are written
 * @param timeZone the zone of times that name none; null: such times are refused where one is
 *     needed
 * @param lossy whether digits that the column has no room for may be lost: rounded in numbers, cut
 *     off in times
 */
public record ValueForm(Notation notation, @Nullable ZoneId timeZone, boolean lossy) {
  /** As the column's type wants it; times in ISO form. */
  public static final ValueForm PLAIN = new ValueForm(Notation.PLAIN, null, false);

  /** How a value is written. */
  public enum Notation {
    /** As the type's input function takes it; times in ISO form. */
    PLAIN,
    ISO,
    EPOCH_S,
    EPOCH_MS,
    EPOCH_US,
    BASE64,
    HEX;

    private String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isEpoch() {
      return this == EPOCH_S || this == EPOCH_MS || this == EPOCH_US;
    }

    boolean isBytes() {
      return this == BASE64 || this == HEX;
    }
  }

  public ValueForm {
    Objects.requireNonNull(notation, "notation");
  }

  Optional<ZoneId> zone() {
    return Optional.ofNullable(timeZone);
  }

  /**
   * Reads words such as {@code epoch-ms}, or {@code iso zone=Europe/Berlin}.
   *
   * @throws IllegalArgumentException where a word is unknown
   */
  static ValueForm parse(String words) {
    ValueForm form = PLAIN;
    for (String word : words.strip().split("\\s+", -1)) {
      form = form.with(word);
    }
    return form;
  }

  private ValueForm with(String word) {
    if (word.equals("lossy")) {
      return new ValueForm(notation, timeZone, true);
    }
    if (word.startsWith("zone=")) {
      return new ValueForm(notation, zone(word.substring("zone=".length())), lossy);
    }
    for (Notation each : Notation.values()) {
      if (each != Notation.PLAIN && word.equals(each.word()) && notation == Notation.PLAIN) {
        return new ValueForm(each, timeZone, lossy);
      }
    }
    throw new IllegalArgumentException(
        "has a form that is unknown; after the sign | use one of iso, epoch-s, epoch-ms, epoch-us,"
            + " base64, hex, and zone=Area/City or lossy");
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      throw new IllegalArgumentException(
          "has an unknown time zone; use one such as zone=UTC or zone=Europe/Berlin", unknown);
    }
  }
}
