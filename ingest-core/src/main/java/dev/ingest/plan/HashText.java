package dev.ingest.plan;

import dev.ingest.event.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * PostgreSQL's {@code hashtext(text)} for a UTF-8 database on a little-endian server under a
 * deterministic collation: a signed 32-bit number, the same on every supported version. Different
 * texts can have one hash, so a lock on the hash never proves that a key was seen.
 *
 * <p>Source: hash_bytes in src/common/hashfn.c, which is the public domain lookup3 of Bob Jenkins
 * with a start value of PostgreSQL's own. Stateless, safe from any thread.
 */
public final class HashText {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The golden ratio of lookup3 plus the start value of hash_bytes. */
  private static final int START = 0x9e3779b9 + 3923095;

  private static final int BLOCK = 12;

  /**
   * Texts to compare with the connected server before its locks are computed here: every length
   * modulo the block size, with and without bytes above 0x7f in each place. A server whose database
   * is not UTF-8 answers with other numbers, or refuses the text (22P05).
   */
  public static final List<String> PROBES = probes();

  private HashText() {}

  /**
   * @param text any text; PostgreSQL cannot hold U+0000, though it has a hash here
   * @throws IllegalArgumentException if a surrogate stands alone, which UTF-8 cannot express
   */
  public static int hash(String text) {
    requirePairedSurrogates(text);
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @param utf8 the bytes of the text; whether they are valid UTF-8 is not checked
   */
  public static int hash(byte[] utf8) {
    return hash(utf8, 0, utf8.length);
  }

  /**
   * The hash of {@code length} bytes starting at {@code from}.
   *
   * @throws IndexOutOfBoundsException if the range leaves the array
   */
  public static int hash(byte[] utf8, int from, int length) {
    Objects.checkFromIndexSize(from, length, utf8.length);
    int a = START + length;
    int b = a;
    int c = a;
    int at = from;
    int left = length;
    for (; left >= BLOCK; left -= BLOCK, at += BLOCK) {
      a += (int) WORD.get(utf8, at);
      b += (int) WORD.get(utf8, at + 4);
      c += (int) WORD.get(utf8, at + 8);

      a = (a - c) ^ Integer.rotateLeft(c, 4);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 6);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 8);
      b += a;
      a = (a - c) ^ Integer.rotateLeft(c, 16);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 19);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 4);
      b += a;
    }
    a += tailWord(utf8, at, left);
    b += tailWord(utf8, at + 4, left - 4);
    c += tailWord(utf8, at + 8, left - 8) << 8; // its lowest byte belongs to the length

    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    return (c ^ b) - Integer.rotateLeft(b, 24);
  }

  /** Up to four bytes as a little-endian word; the missing ones, or all of them, are zero. */
  private static int tailWord(byte[] bytes, int at, int left) {
    if (left >= 4) {
      return (int) WORD.get(bytes, at);
    }
    int word = 0;
    for (int i = 0; i < left; i++) {
      word |= (bytes[at + i] & 0xff) << (8 * i);
    }
    return word;
  }

  private static void requirePairedSurrogates(String text) {
    int unpaired = Utf8.unpairedSurrogate(text);
    if (unpaired >= 0) {
      throw new IllegalArgumentException(
          "Text has an unpaired surrogate at index "
              + unpaired
              + " and no UTF-8 form. Refuse it before it is hashed.");
    }
  }

  private static List<String> probes() {
    String ascii = "Abcdefghijklmnopqrstuvwx";
    List<String> probes = new ArrayList<>();
    for (int length = 0; length <= 2 * BLOCK; length++) {
      probes.add(ascii.substring(0, length));
    }
    for (int length = 0; length < BLOCK; length++) {
      String start = ascii.substring(0, length);
      probes.add(start + "\u00fc");
      probes.add(start + "\u65e5\u672c\u8a9e");
      probes.add(start + "\ud83d\ude00");
    }
    return List.copyOf(probes);
  }
}
