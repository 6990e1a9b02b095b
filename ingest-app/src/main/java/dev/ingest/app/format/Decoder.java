package dev.ingest.app.format;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.ingest.mapping.UnfitValueException;
import java.io.IOException;

/** Writes what bytes say, by one schema, as a JSON document. Implementations are thread-safe. */
@FunctionalInterface
interface Decoder {
  /**
   * @param from where the value begins, behind what says its schema
   * @throws UnfitValueException where the bytes are not in the format; the reason holds no value
   */
  void decode(byte[] bytes, int from, JsonGenerator into) throws IOException;
}
