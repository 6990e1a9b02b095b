package dev.ingest.postgres;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.mapping.ColumnSource;
import dev.ingest.mapping.ColumnType.Kind;
import dev.ingest.mapping.Fields;
import dev.ingest.mapping.Fields.State;
import dev.ingest.mapping.TextRule;
import dev.ingest.mapping.Texts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of columns, by where they come from. */
final class RowValues {
  private RowValues() {}

  static RowValue json(int slot, TextRule rule) {
    return (key, event, fields) -> field(fields, slot, rule);
  }

  private static @Nullable Object field(Fields fields, int slot, TextRule rule) {
    State state = fields.state(slot);
    if (state == State.ABSENT) {
      return RowValue.ABSENT;
    }
    String text = fields.text(slot);
    return text == null ? null : rule.apply(state, text);
  }

  static RowValue header(String name, TextRule rule) {
    return (key, event, fields) -> {
      List<Header> headers = event.headers();
      for (int i = headers.size() - 1; i >= 0; i--) {
        if (headers.get(i).name().equals(name)) {
          return text(headers.get(i).value(), rule);
        }
      }
      return RowValue.ABSENT;
    };
  }

  private static @Nullable Object text(byte @Nullable [] bytes, TextRule rule) {
    return bytes == null ? null : rule.apply(State.STRING, Texts.storable(Texts.decode(bytes)));
  }

  static RowValue plain(ColumnSource.Plain source, TextRule rule, Kind column) {
    return switch (source) {
      case KEY -> (key, event, fields) -> rule.apply(State.STRING, key.value());
      case TOPIC -> (key, event, fields) -> event.partition().topic();
      case PARTITION -> (key, event, fields) -> event.partition().partition();
      case OFFSET -> (key, event, fields) -> event.offset();
      case TIMESTAMP -> RowValues::timestamp;
      case PAYLOAD ->
          column == Kind.BYTES
              ? (key, event, fields) -> event.value()
              : (key, event, fields) -> whole(event.document(), rule);
      case BYTES -> (key, event, fields) -> event.value();
      case TEXT ->
          switch (column) {
            case BYTES -> (key, event, fields) -> event.value();
            case JSON -> (key, event, fields) -> whole(event.value(), RowValues::quoted);
            default -> (key, event, fields) -> whole(event.value(), rule);
          };
      case HEADERS -> (key, event, fields) -> HeaderJson.of(event.headers());
      case NOW -> throw new IllegalArgumentException("now is no value of an event");
    };
  }

  private static @Nullable Object timestamp(BusinessKey key, Event event, Fields fields) {
    return event.timestampMillis() < 0 ? null : event.timestampMillis();
  }

  private static String quoted(State state, String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  private static @Nullable Object whole(byte @Nullable [] bytes, TextRule rule) {
    return bytes == null ? null : rule.apply(State.STRING, Texts.decode(bytes));
  }
}
