package dev.ingest.app.format;

import dev.ingest.event.Utf8;
import dev.ingest.mapping.UnfitValueException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Avro's binary encoding, strictly: nothing is allocated before the bytes for it are seen to be
 * there, and nothing is replaced. Single-threaded.
 */
final class AvroInput {
  private static final int MAX_VARINT_BYTES = 10;

  private final byte[] bytes;
  private int at;

  AvroInput(byte[] bytes, int from) {
    this.bytes = bytes;
    this.at = from;
  }

  boolean isAtEnd() {
    return at == bytes.length;
  }

  long readLong() {
    long raw = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      byte b = next();
      if (i == MAX_VARINT_BYTES - 1 && b > 1) {
        break;
      }
      raw |= (long) (b & 0x7f) << (7 * i);
      if (b >= 0) {
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    throw unreadable("it has an integer of more than 64 bits");
  }

  int readInt() {
    long value = readLong();
    if (value != (int) value) {
      throw unreadable("it has an int of more than 32 bits");
    }
    return (int) value;
  }

  boolean readBoolean() {
    byte b = next();
    if (b != 0 && b != 1) {
      throw unreadable("it has a boolean that is neither 0 nor 1");
    }
    return b == 1;
  }

  float readFloat() {
    return little(Float.BYTES).getFloat();
  }

  double readDouble() {
    return little(Double.BYTES).getDouble();
  }

  private ByteBuffer little(int length) {
    return ByteBuffer.wrap(bytes, skip(length), length).order(ByteOrder.LITTLE_ENDIAN);
  }

  byte[] readBytes() {
    return readFixed(length());
  }

  byte[] readFixed(int length) {
    int from = skip(length);
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  String readString() {
    int length = length();
    String text = Utf8.decode(bytes, skip(length), length);
    if (text == null) {
      throw unreadable("it has a string that is not UTF-8");
    }
    return text;
  }

  /** Items of the next block of an array or a map; 0 at its end. */
  long readBlock() {
    long count = readLong();
    if (count >= 0) {
      return count;
    }
    readLong(); // the block's size in bytes, for those who skip it
    if (count == Long.MIN_VALUE) {
      throw unreadable("it has a block of an impossible size");
    }
    return -count;
  }

  private int length() {
    long length = readLong();
    if (length < 0 || length > bytes.length - at) {
      throw tooShort();
    }
    return (int) length;
  }

  /** Returns where the passed-over bytes begin. */
  private int skip(int length) {
    if (length > bytes.length - at) {
      throw tooShort();
    }
    int from = at;
    at += length;
    return from;
  }

  private byte next() {
    return bytes[skip(1)];
  }

  private static UnfitValueException tooShort() {
    return unreadable("it ends too early");
  }

  static UnfitValueException unreadable(String why) {
    return new UnfitValueException("22000", "the value is no Avro of its schema: " + why);
  }
}
