package dev.ingest.app.format;

import dev.ingest.event.Event;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.plan.ValueFormat;

/** Avro values without any prefix, all of one schema. Thread-safe. */
record PlainAvro(Decoder decoder) implements ValueFormat {
  @Override
  public Decoded decode(Event event) {
    byte[] value = event.value();
    if (value == null) {
      return new Decoded.Readable(event);
    }
    try {
      return new Decoded.Readable(event.withDocument(Documents.write(decoder, value, 0)));
    } catch (UnfitValueException unreadable) {
      return new Decoded.Unreadable(unreadable.reason());
    }
  }
}
