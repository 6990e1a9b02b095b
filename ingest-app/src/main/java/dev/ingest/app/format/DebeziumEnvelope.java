package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonPointer;
import dev.ingest.app.config.ValueSettings.Operation;
import dev.ingest.event.Event;
import dev.ingest.mapping.Fields;
import dev.ingest.mapping.Fields.State;
import dev.ingest.mapping.JsonFields;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.plan.ValueFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's change events, with and without the {@code schema} and {@code payload} that its JSON
 * converter puts around them. The row after the change is the document, byte for byte. A record
 * without a value, as follows a delete, stays one. Thread-safe.
 */
final class DebeziumEnvelope implements ValueFormat {
  /** All operations that Debezium names; those that are not stored are skipped. */
  private static final Set<String> KNOWN = Set.of("c", "r", "u", "d", "t", "m");

  private final Set<String> stored;
  private final JsonFields fields = new JsonFields();
  private final Place bare = new Place(fields, "");
  private final Place wrapped = new Place(fields, "/payload");

  /** Where an envelope may be in a document. */
  private record Place(int operation, int after) {
    Place(JsonFields fields, String at) {
      this(
          fields.add(JsonPointer.compile(at + "/op"), false),
          fields.add(JsonPointer.compile(at + "/after"), true));
    }
  }

  DebeziumEnvelope(List<Operation> operations) {
    this.stored = operations.stream().map(DebeziumEnvelope::letter).collect(Collectors.toSet());
  }

  private static String letter(Operation operation) {
    return switch (operation) {
      case CREATE -> "c";
      case READ -> "r";
      case UPDATE -> "u";
    };
  }

  @Override
  public Decoded decode(Event event) {
    byte[] document = event.document();
    if (document == null) {
      return new Decoded.Readable(event);
    }
    Fields found = fields.newFields();
    try {
      fields.read(document, found);
    } catch (UnfitValueException unreadable) {
      return new Decoded.Unreadable(unreadable.reason());
    }
    Place place = found.state(bare.operation) == State.ABSENT ? wrapped : bare;
    return unwrap(event, found.text(place.operation), found, place);
  }

  private Decoded unwrap(Event event, @Nullable String operation, Fields found, Place place) {
    if (operation == null || !KNOWN.contains(operation)) {
      return new Decoded.Unreadable("the payload is no Debezium change event: it has no known op");
    }
    if (!stored.contains(operation)) {
      return new Decoded.PassedOver();
    }
    String after = found.text(place.after);
    return found.state(place.after) == State.STRUCTURE && after != null
        ? new Decoded.Readable(event.withDocument(after.getBytes(UTF_8)))
        : new Decoded.Unreadable("the Debezium change event has no row in its field after");
  }
}
