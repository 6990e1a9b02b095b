package dev.ingest.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What is done to a business key before it is hashed, locked and stored. Immutable.
 *
 * @param normalizations applied to each part of the key, in this order
 * @param tooLong what is done with a key that a unique index can't hold
 */
public record KeyRules(List<Normalization> normalizations, TooLong tooLong) {
  /** Keys as they are; those that an index can't hold are refused. */
  public static final KeyRules NONE = new KeyRules(List.of(), TooLong.PARK);

  /** Bytes of text that fit into the 2,704 of an index row, beside its headers. */
  public static final int MAX_BYTES = 2692;

  private static final String DIGEST_PREFIX = "sha256:";

  /** One way to make keys alike that differ in form alone. */
  public enum Normalization {
    /** White space at both ends is cut off. */
    TRIM,
    /** Small letters, by the rules of no language. */
    LOWER_CASE,
    /** Unicode's composed form. */
    NFC;

    String apply(String text) {
      return switch (this) {
        case TRIM -> text.strip();
        case LOWER_CASE -> text.toLowerCase(Locale.ROOT);
        case NFC -> Normalizer.normalize(text, Normalizer.Form.NFC);
      };
    }
  }

  /** What is done with keys of more than {@link #MAX_BYTES} bytes. */
  public enum TooLong {
    /** The event can't be stored. */
    PARK,
    /**
     * The key is stored as {@code sha256:} and 64 hexadecimal digits. So is a key that begins with
     * this prefix, so that no key ever looks like another's digest.
     */
    DIGEST
  }

  public KeyRules {
    normalizations = List.copyOf(normalizations);
    Objects.requireNonNull(tooLong, "tooLong");
  }

  String normalize(String part) {
    String text = part;
    for (Normalization each : normalizations) {
      text = each.apply(text);
    }
    return text;
  }

  /** The key as it is stored. */
  String stored(String key) {
    boolean digest = tooLong == TooLong.DIGEST && (isTooLong(key) || key.startsWith(DIGEST_PREFIX));
    return digest ? DIGEST_PREFIX + HexFormat.of().formatHex(sha256(key)) : key;
  }

  /** Whether the key as it is stored can't be indexed. */
  boolean refuses(String key) {
    return tooLong == TooLong.PARK && isTooLong(key);
  }

  private static boolean isTooLong(String key) {
    return key.length() > MAX_BYTES / 3 && key.getBytes(UTF_8).length > MAX_BYTES;
  }

  private static byte[] sha256(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java has SHA-256.", impossible);
    }
  }
}
