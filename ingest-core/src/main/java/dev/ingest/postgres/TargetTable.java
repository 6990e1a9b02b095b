package dev.ingest.postgres;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The table that events are stored in and how its columns are filled. Immutable.
 *
 * @param name schema-qualified, quoted where needed, as SQL wants it
 * @param keyColumns columns of the unique index on the business key
 * @param columns columns that the insert fills
 */
public record TargetTable(String name, List<String> keyColumns, List<TargetColumn> columns) {
  public TargetTable {
    keyColumns = List.copyOf(keyColumns);
    columns = List.copyOf(columns);
  }

  /** The default table {@code ingest.event}: key, position, time, payload as jsonb, headers. */
  public static TargetTable event() {
    return new TargetTable(
        "ingest.event",
        List.of("business_key"),
        List.of(
            new TargetColumn("business_key", "text", "%s", (key, event) -> key.value()),
            new TargetColumn("topic", "text", "%s", (key, event) -> event.partition().topic()),
            new TargetColumn(
                "partition", "int4", "%s", (key, event) -> event.partition().partition()),
            new TargetColumn("record_offset", "int8", "%s", (key, event) -> event.offset()),
            new TargetColumn(
                "event_time",
                "int8",
                "timestamptz 'epoch' + %s * interval '1 millisecond'",
                TargetTable::time),
            new TargetColumn("payload", "text", "%s::jsonb", TargetTable::payload),
            new TargetColumn(
                "headers", "text", "%s::jsonb", (key, event) -> HeaderJson.of(event.headers()))));
  }

  private static @Nullable Object time(BusinessKey key, Event event) {
    return event.timestampMillis() < 0 ? null : event.timestampMillis();
  }

  private static @Nullable Object payload(BusinessKey key, Event event) {
    byte[] value = event.value();
    return value == null ? null : Utf8.decode(value);
  }

  /** Inserts rows in array order and passes over keys that are there. Binds: one array a column. */
  String insertSql() {
    String names = columns.stream().map(c -> quote(c.name())).collect(Collectors.joining(", "));
    String values =
        IntStream.range(0, columns.size())
            .mapToObj(i -> columns.get(i).expression().formatted("r.c" + i))
            .collect(Collectors.joining(", "));
    String arrays =
        columns.stream().map(c -> "?::" + c.elementType() + "[]").collect(Collectors.joining(", "));
    String aliases =
        IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
    String keys = keyColumns.stream().map(TargetTable::quote).collect(Collectors.joining(", "));
    return """
        INSERT INTO %s (%s)
        SELECT %s
        FROM unnest(%s) AS r(%s)
        ON CONFLICT (%s) DO NOTHING
        """
        .formatted(name, names, values, arrays, aliases, keys);
  }

  private static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }
}
