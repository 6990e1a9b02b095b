package dev.ingest.postgres;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.mapping.ColumnSource.Plain;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.Reading;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds the rows of events again: by the key's columns, as the mapping fills them. Reads only.
 * Owned by one thread, as its connection is.
 */
public final class TargetLookup {
  /**
   * How rows are looked up.
   *
   * @param rows the target, with no other columns than those of its key
   * @param missingSql finds which rows are not there; its parameters are those of an insert
   */
  record Plan(TargetTable rows, String missingSql) {}

  private final Connection connection;
  private final Plan plan;
  private final String twiceSql;

  private TargetLookup(Connection connection, Plan plan, String twiceSql) {
    this.connection = connection;
    this.plan = plan;
    this.twiceSql = twiceSql;
  }

  /**
   * Reads the catalog.
   *
   * @param connection without autocommit and without an open transaction; between calls it has none
   * @throws IngestException {@code TARGET_INVALID} where there is no such table, or its rows can't
   *     be found by what an event holds
   */
  public static TargetLookup of(Connection connection, TargetMapping mapping) throws SQLException {
    long oid =
        TargetCatalog.find(connection, mapping.table())
            .orElseThrow(() -> invalid(MappingRules.missing(mapping).text()));
    TargetCatalog.qualifyNames(connection);
    CatalogTable table = TargetCatalog.read(connection, oid);
    connection.rollback();
    requireKey(mapping, table);
    Plan plan = TargetBuilder.lookup(mapping, table);
    return new TargetLookup(connection, plan, twiceSql(mapping, table));
  }

  private static void requireKey(TargetMapping mapping, CatalogTable table) {
    List<String> found =
        mapping.columns().stream()
            .filter(each -> each.source() != Plain.NOW && table.column(each.column()).isPresent())
            .map(each -> each.column())
            .toList();
    if (mapping.keyColumns().isEmpty() || !found.containsAll(mapping.keyColumns())) {
      throw invalid(
          "%skey-columns=%s: not each is a column of %s that an event fills, so its row can't be found"
              .formatted(mapping.setting(), String.join(",", mapping.keyColumns()), table.name()));
    }
  }

  private static IngestException invalid(String problem) {
    return new IngestException(Code.TARGET_INVALID, problem + ".");
  }

  private static String twiceSql(TargetMapping mapping, CatalogTable table) {
    String keys = Sql.identifiers(mapping.keyColumns());
    String filled =
        mapping.keyColumns().stream()
            .map(key -> "t." + Sql.identifier(key) + " IS NOT NULL")
            .collect(Collectors.joining(" AND "));
    Duration window = mapping.rules().window();
    String time = table.partitions().rangeColumn();
    return window == null || time == null || table.isUnique(mapping.keyColumns())
        ? Statements.KEYS_TWICE.formatted(table.name(), keys, filled)
        : Statements.KEYS_TWICE_IN_WINDOW.formatted(
            table.name(), keys, filled, "t." + Sql.identifier(time), ProbeWindow.interval(window));
  }

  /** Indices, from 0, of the events whose row is not there. */
  public BitSet missing(List<Reading.Keyed> events) throws SQLException {
    BitSet missing = new BitSet();
    look(events, 0, missing);
    return missing;
  }

  /** A value that the server can't read is in no row: those around it are asked for without it. */
  private void look(List<Reading.Keyed> events, int from, BitSet missing) throws SQLException {
    if (events.isEmpty()) {
      return;
    }
    try {
      ask(events).stream().forEach(i -> missing.set(from + i));
      return;
    } catch (SQLException refused) {
      if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
        throw refused;
      }
      connection.rollback();
    }
    if (events.size() == 1) {
      missing.set(from);
      return;
    }
    int half = events.size() / 2;
    look(events.subList(0, half), from, missing);
    look(events.subList(half, events.size()), from + half, missing);
  }

  private BitSet ask(List<Reading.Keyed> events) throws SQLException {
    Rows rows = Rows.of(plan.rows(), events.stream().map(KeyGroup::unhashed).toList());
    BitSet missing = new BitSet();
    try (Statement settings = connection.createStatement();
        PreparedStatement question = connection.prepareStatement(plan.missingSql())) {
      settings.execute(Statements.PREPARE_LOOKUP);
      rows.bind(connection, question, 1);
      try (ResultSet places = question.executeQuery()) {
        while (places.next()) {
          missing.set(places.getInt(1) - 1);
        }
      }
    }
    connection.rollback();
    return missing;
  }

  /**
   * How many keys the table holds more than once, or more than once within the dedupe window. Reads
   * the whole table.
   */
  public long keysTwice() throws SQLException {
    try (PreparedStatement question = connection.prepareStatement(twiceSql);
        ResultSet row = question.executeQuery()) {
      row.next();
      long keys = row.getLong(1);
      connection.rollback();
      return keys;
    }
  }

  /** Whether {@link #keysTwice} of both is one answer to one question. */
  public boolean looksAtSameRows(TargetLookup other) {
    return twiceSql.equals(other.twiceSql);
  }
}
