package dev.ingest.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;

/** Reports as JSON, for scripts. Moments are to be given as text. */
final class Json {
  private static final JsonMapper MAPPER = new JsonMapper();

  private Json() {}

  /** Over several lines. */
  static String pretty(Object report) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(report);
    } catch (JsonProcessingException impossible) {
      throw new IngestException(Code.INTERNAL, "the report can't be written as JSON", impossible);
    }
  }

  /** One line. */
  static String line(Object report) {
    try {
      return MAPPER.writeValueAsString(report);
    } catch (JsonProcessingException impossible) {
      throw new IngestException(Code.INTERNAL, "the report can't be written as JSON", impossible);
    }
  }
}
