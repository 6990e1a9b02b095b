package dev.ingest.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.IngestException;
import dev.ingest.plan.RejectedEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a dead letter, in three families: the names and text values that Kafka Connect
 * writes, the names and binary numbers that Spring for Apache Kafka writes, and our own.
 *
 * <p>The first family tells of the last failure. The second keeps where the event was first, and
 * {@code ingest.errors.first-…} why it failed first, however often it was sent back and failed
 * again; {@code ingest.errors.attempts} counts that. Nothing is written twice, so headers do not
 * grow. No stack trace is written, since those quote values. Pure.
 */
final class DeadLetterHeaders {
  static final String CONNECT = "__connect.errors.";
  static final String SPRING = "kafka_dlt-";
  static final String OURS = "ingest.errors.";
  static final String ROUTE = OURS + "route";

  private static final int LONGEST_TEXT = 1024;
  private static final String WRITER = "dev.ingest.pipeline.IngestConsumer";
  private static final String STAGE = "TASK_PUT";

  private final Event event;
  private final List<Header> headers = new ArrayList<>();

  private DeadLetterHeaders(Event event) {
    this.event = event;
  }

  /** The headers of the event itself, without those of its dead letters. */
  static List<Header> own(Event event) {
    return event.headers().stream().filter(header -> !isOurs(header.name())).toList();
  }

  private static boolean isOurs(String name) {
    return name.startsWith(CONNECT) || name.startsWith(SPRING) || name.startsWith(OURS);
  }

  /** What is said of the failure. */
  static List<Header> of(RejectedEvent rejected, String group, String route) {
    DeadLetterHeaders letter = new DeadLetterHeaders(rejected.event());
    letter.likeConnect(rejected, group);
    letter.likeSpring(rejected, group);
    letter.ours(rejected, route);
    return List.copyOf(letter.headers);
  }

  private void likeConnect(RejectedEvent rejected, String group) {
    text(CONNECT + "topic", event.partition().topic());
    text(CONNECT + "partition", Integer.toString(event.partition().partition()));
    text(CONNECT + "offset", Long.toString(event.offset()));
    text(CONNECT + "connector.name", group);
    text(CONNECT + "task.id", "0");
    text(CONNECT + "stage", STAGE);
    text(CONNECT + "class.name", WRITER);
    text(CONNECT + "exception.class.name", IngestException.class.getName());
    text(CONNECT + "exception.message", rejected.reason());
  }

  private void likeSpring(RejectedEvent rejected, String group) {
    boolean again = last(SPRING + "original-topic").isPresent();
    original("topic", event.partition().topic().getBytes(UTF_8), again);
    original(
        "partition",
        ByteBuffer.allocate(Integer.BYTES).putInt(event.partition().partition()).array(),
        again);
    original("offset", ByteBuffer.allocate(Long.BYTES).putLong(event.offset()).array(), again);
    original(
        "timestamp",
        ByteBuffer.allocate(Long.BYTES).putLong(event.timestampMillis()).array(),
        again);
    original("consumer-group", group.getBytes(UTF_8), again);
    text(SPRING + "exception-fqcn", IngestException.class.getName());
    text(SPRING + "exception-message", rejected.reason());
  }

  /** Where the event was first; what an earlier letter says of it stands. */
  private void original(String name, byte[] now, boolean again) {
    byte[] value = again ? last(SPRING + "original-" + name).orElse(null) : now;
    if (value != null) {
      headers.add(new Header(SPRING + "original-" + name, value));
    }
  }

  private void ours(RejectedEvent rejected, String route) {
    text(ROUTE, route);
    text(OURS + "first-reason", lastText(OURS + "first-reason").orElse(rejected.reason()));
    text(OURS + "reason", rejected.reason());
    text(OURS + "sqlstate", rejected.sqlState());
    text(OURS + "constraint", rejected.constraint());
    text(OURS + "column", rejected.column());
    text(OURS + "attempts", Long.toString(attemptsBefore() + 1));
  }

  private long attemptsBefore() {
    String digits = lastText(OURS + "attempts").orElse("0");
    return digits.matches("[0-9]{1,9}") ? Long.parseLong(digits) : 0;
  }

  private Optional<String> lastText(String name) {
    return last(name).map(value -> new String(value, UTF_8));
  }

  private Optional<byte[]> last(String name) {
    return event.headers().stream()
        .filter(header -> header.name().equals(name))
        .reduce((earlier, later) -> later)
        .map(Header::value);
  }

  private void text(String name, @Nullable String value) {
    if (value != null) {
      headers.add(new Header(name, capped(value)));
    }
  }

  /** A character that would be cut is left out. */
  private static byte[] capped(String value) {
    byte[] bytes = value.getBytes(UTF_8);
    if (bytes.length <= LONGEST_TEXT) {
      return bytes;
    }
    int end = LONGEST_TEXT;
    while ((bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return ByteBuffer.allocate(end).put(bytes, 0, end).array();
  }
}
