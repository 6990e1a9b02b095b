package dev.ingest.app.bench.writers;

import com.fasterxml.jackson.core.JsonPointer;
import dev.ingest.event.Event;
import dev.ingest.mapping.Fields;
import dev.ingest.mapping.JsonFields;
import dev.ingest.plan.HashText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Takes the keys' locks, asks in the next statement which keys are new, and writes the rows of
 * those with COPY: the other way that locks make possible, beside an insert that looks for itself.
 */
public final class ProbeThenCopy implements Writer {
  private static final String LOCK_AND_PROBE =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
             set_config('plan_cache_mode', '%s', true);
      SELECT count(*)
      FROM (SELECT pg_advisory_xact_lock(id) FROM unnest(?::bigint[]) AS id OFFSET 0) AS locked;
      SELECT place FROM unnest(?::text[], ?::timestamptz[]) WITH ORDINALITY AS r (id, at, place)
      WHERE NOT EXISTS (SELECT FROM %s AS t WHERE t.%s = r.id%s OFFSET 0)
      """;

  private static final String IN_WINDOW =
      """
       AND t.at BETWEEN r.at - interval '%1$d seconds' AND r.at + interval '%1$d seconds'
      AND t.at BETWEEN ?::timestamptz AND ?::timestamptz\
      """;

  /** A column's value in text form; null for NULL. */
  private interface Value {
    @Nullable String of(Event event, Fields fields);
  }

  /**
   * Where the rows go. Immutable.
   *
   * @param columns what fills each, as in the settings of a target; the key comes first
   * @param window how far from an event's time a key is looked for by column {@code at}; zero:
   *     everywhere
   */
  public record Table(String name, Map<String, String> columns, Duration window) {
    public Table {
      columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    }
  }

  private final PGConnection connection;
  private final Table table;
  private final JsonFields pointers = new JsonFields();
  private final List<Value> values = new ArrayList<>();
  private final Fields fields;
  private final PreparedStatement probe;
  private final String copy;

  public ProbeThenCopy(Connection connection, Table table) throws SQLException {
    this.connection = connection.unwrap(PGConnection.class);
    this.table = table;
    table.columns().values().forEach(source -> values.add(value(source)));
    this.fields = pointers.newFields();
    List<String> names = List.copyOf(table.columns().keySet());
    boolean everywhere = table.window().isZero();
    this.probe =
        connection.prepareStatement(
            LOCK_AND_PROBE.formatted(
                everywhere ? "auto" : "force_custom_plan",
                table.name(),
                names.get(0),
                everywhere ? "" : IN_WINDOW.formatted(table.window().toSeconds())));
    this.copy = "COPY %s (%s) FROM STDIN".formatted(table.name(), String.join(", ", names));
  }

  private Value value(String source) {
    return switch (source) {
      case "key" -> (event, found) -> Text.key(event);
      case "topic" -> (event, found) -> event.partition().topic();
      case "partition" -> (event, found) -> Integer.toString(event.partition().partition());
      case "offset" -> (event, found) -> Long.toString(event.offset());
      case "timestamp" -> (event, found) -> time(event).toString();
      case "payload" -> (event, found) -> Text.value(event);
      default -> {
        int slot = pointers.add(JsonPointer.compile(source.substring("json:".length())), false);
        yield (event, found) -> found.text(slot);
      }
    };
  }

  @Override
  public void write(List<Event> events) throws SQLException {
    List<Event> missing = missing(inLockOrder(events));
    if (missing.isEmpty()) {
      return;
    }
    CopyText rows = new CopyText();
    for (Event each : missing) {
      if (!pointers.isEmpty()) {
        pointers.read(each.document(), fields);
      }
      values.forEach(value -> rows.value(value.of(each, fields)));
      rows.endRow();
    }
    rows.copyIn(connection.getCopyAPI(), copy);
  }

  private static List<Event> inLockOrder(List<Event> events) {
    List<Event> once = Once.sorted(events);
    once.sort(Comparator.comparingInt(ProbeThenCopy::hash));
    return once;
  }

  private static int hash(Event event) {
    return HashText.hash(Text.key(event));
  }

  private static Instant time(Event event) {
    return Instant.ofEpochMilli(event.timestampMillis());
  }

  private List<Event> missing(List<Event> events) throws SQLException {
    Long[] locks = events.stream().map(each -> (long) hash(each)).distinct().toArray(Long[]::new);
    String[] keys = events.stream().map(Text::key).toArray(String[]::new);
    probe.setArray(1, connection.createArrayOf("int8", locks));
    String[] times = events.stream().map(each -> time(each).toString()).toArray(String[]::new);
    probe.setArray(2, connection.createArrayOf("text", keys));
    probe.setArray(3, connection.createArrayOf("timestamptz", times));
    if (!table.window().isZero()) {
      Instant first =
          events.stream().map(ProbeThenCopy::time).min(Instant::compareTo).orElseThrow();
      Instant last = events.stream().map(ProbeThenCopy::time).max(Instant::compareTo).orElseThrow();
      probe.setObject(4, first.minus(table.window()).toString(), Types.OTHER);
      probe.setObject(5, last.plus(table.window()).toString(), Types.OTHER);
    }
    probe.execute(); // settings
    probe.getMoreResults(); // locks
    probe.getMoreResults();
    List<Event> missing = new ArrayList<>();
    try (ResultSet places = probe.getResultSet()) {
      while (places.next()) {
        missing.add(events.get(places.getInt(1) - 1));
      }
    }
    return missing;
  }
}
