package dev.ingest.postgres;

import dev.ingest.postgres.CatalogColumn.Origin;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a target table out of the catalog, in the transaction that is open. */
final class TargetCatalog {
  private final Connection connection;
  private final long oid;

  private TargetCatalog(Connection connection, long oid) {
    this.connection = connection;
    this.oid = oid;
  }

  /**
   * Finds a table by the session's own search path.
   *
   * @param table as SQL writes it
   * @return empty where our role sees no such table
   */
  static Optional<Long> find(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(CatalogStatements.RESOLVE_TABLE)) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long oid = row.getLong(1);
        return oid == 0 ? Optional.empty() : Optional.of(oid);
      }
    }
  }

  /** To be called before {@link #read}: changes the transaction's search path. */
  static void qualifyNames(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(CatalogStatements.QUALIFY_NAMES);
    }
  }

  static CatalogTable read(Connection connection, long oid) throws SQLException {
    return new TargetCatalog(connection, oid).read();
  }

  private interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  private <T> List<T> query(String sql, int binds, Row<T> row) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 1; i <= binds; i++) {
        statement.setLong(i, oid);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<T> found = new ArrayList<>();
        while (rows.next()) {
          found.add(row.of(rows));
        }
        return found;
      }
    }
  }

  private CatalogTable read() throws SQLException {
    List<CatalogColumn> columns = query(CatalogStatements.COLUMNS, 2, TargetCatalog::column);
    List<CatalogTable.UniqueIndex> unique =
        query(
            CatalogStatements.UNIQUE_INDEXES,
            1,
            row -> new CatalogTable.UniqueIndex(row.getLong(1), names(row.getArray(2))));
    CatalogTable.Partitions partitions =
        new CatalogTable.Partitions(
            query(CatalogStatements.LEAVES, 1, row -> row.getString(1)),
            query(CatalogStatements.RANGE_COLUMN, 1, row -> row.getString(1)).stream()
                .findFirst()
                .orElse(null));
    List<CatalogTable.Index> indexes = query(CatalogStatements.INDEXES, 2, TargetCatalog::index);
    return query(
            CatalogStatements.TABLE,
            2,
            row ->
                new CatalogTable(
                    row.getString(1),
                    row.getString(2).charAt(0),
                    columns,
                    unique,
                    partitions,
                    indexes,
                    new CatalogTable.Access(
                        row.getString(3), row.getBoolean(4), names(row.getArray(5)))))
        .get(0);
  }

  private static CatalogTable.Index index(ResultSet row) throws SQLException {
    return new CatalogTable.Index(row.getString(1), names(row.getArray(2)), names(row.getArray(3)));
  }

  private static List<String> names(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }

  private static CatalogColumn column(ResultSet row) throws SQLException {
    int base = (int) row.getLong(4); // an OID is unsigned
    int element = (int) row.getLong(6);
    return new CatalogColumn(
        row.getString(1),
        new CatalogColumn.Type(
            row.getString(2),
            row.getString(3),
            CatalogTypes.of(base, row.getInt(5), element),
            altering(base, element, row.getString(15))),
        row.getBoolean(14),
        row.getBoolean(7),
        origin(row.getString(8), row.getString(9)),
        row.getString(10),
        row.getBoolean(11),
        row.getBoolean(12),
        row.getBoolean(13));
  }

  /** A row type is read by its input function, which alters fields without a word. */
  private static String altering(int base, int element, @Nullable String field) {
    return field == null
        ? CatalogTypes.altering(base, element)
        : "its field "
            + field
            + " cuts or rounds; use text, numeric and the like there, without length or precision";
  }

  private static Origin origin(String identity, String generated) {
    if (!generated.isEmpty()) {
      return Origin.GENERATED;
    }
    return switch (identity) {
      case "a" -> Origin.IDENTITY_ALWAYS;
      case "d" -> Origin.IDENTITY_BY_DEFAULT;
      default -> Origin.PLAIN;
    };
  }
}
