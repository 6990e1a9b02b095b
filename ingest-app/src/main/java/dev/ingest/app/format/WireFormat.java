package dev.ingest.app.format;

import dev.ingest.event.Event;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.plan.ValueFormat;
import java.nio.ByteBuffer;

/**
 * Values that begin with a zero byte and the id of their schema in four bytes, big-endian, as
 * serializers that work with a schema registry write them. Thread-safe.
 */
final class WireFormat implements ValueFormat {
  private static final int PREFIX = 1 + Integer.BYTES;

  private final SchemaCache schemas;

  WireFormat(SchemaCache schemas) {
    this.schemas = schemas;
  }

  @Override
  public Decoded decode(Event event) {
    byte[] value = event.value();
    if (value == null) {
      return new Decoded.Readable(event);
    }
    if (value.length < PREFIX || value[0] != 0) {
      return new Decoded.Unreadable("the value does not begin with a zero byte and a schema id");
    }
    try {
      Decoder decoder = schemas.get(ByteBuffer.wrap(value).getInt(1));
      return new Decoded.Readable(event.withDocument(Documents.write(decoder, value, PREFIX)));
    } catch (UnfitValueException unreadable) {
      return new Decoded.Unreadable(unreadable.reason());
    }
  }
}
