package dev.ingest.postgres;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.postgres.MappingRules.Problem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Holds mappings against the live catalog, before anything is read from Kafka. Reads the catalog
 * and lets the server parse the statements; writes nothing. Stateless.
 */
public final class TargetCheck {
  private TargetCheck() {}

  /**
   * @return every problem as a sentence without a full stop, with the setting to change; empty
   *     where the mapping fits
   * @throws IngestException where the server can't be asked
   */
  public static List<String> problems(DataSource database, TargetMapping mapping) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        return check(connection, mapping).stream().map(Problem::text).toList();
      } finally {
        connection.rollback();
      }
    } catch (SQLException failed) {
      throw new IngestException(
          Code.POSTGRES_UNAVAILABLE,
          "sqlstate=" + failed.getSQLState() + " " + SqlFaults.describe(failed),
          failed);
    }
  }

  private static List<Problem> check(Connection connection, TargetMapping mapping)
      throws SQLException {
    Optional<Long> oid;
    try {
      oid = TargetCatalog.find(connection, mapping.table());
    } catch (SQLException refused) {
      return List.of(MappingRules.unusable(mapping, refused));
    }
    if (oid.isEmpty()) {
      return List.of(MappingRules.missing(mapping));
    }
    TargetCatalog.qualifyNames(connection);
    CatalogTable table = TargetCatalog.read(connection, oid.get());
    List<Problem> problems = MappingRules.problems(mapping, table);
    return problems.isEmpty() ? parse(connection, mapping, table) : problems;
  }

  /** Lets the server say whether each column takes what it is given, then the whole statement. */
  private static List<Problem> parse(
      Connection connection, TargetMapping mapping, CatalogTable table) throws SQLException {
    TargetTable target = TargetBuilder.build(mapping, table);
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < mapping.columns().size(); i++) {
      Optional<SQLException> refusal = refusal(connection, target.columnSql(i));
      String setting = mapping.setting() + "columns." + mapping.columns().get(i).column();
      refusal.ifPresent(
          refused ->
              problems.add(
                  new Problem(
                      String.valueOf(refused.getSQLState()),
                      setting + " does not fit its column: " + SqlFaults.describe(refused))));
    }
    if (problems.isEmpty()) {
      for (String sql : target.sqls()) {
        refusal(connection, sql)
            .ifPresent(
                refused ->
                    problems.add(
                        new Problem(
                            String.valueOf(refused.getSQLState()),
                            mapping.setting()
                                + "table can't be written: "
                                + SqlFaults.describe(refused))));
      }
    }
    return problems;
  }

  private static Optional<SQLException> refusal(Connection connection, String sql)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.getParameterMetaData(); // the server parses, and runs nothing
      return Optional.empty();
    } catch (SQLException refused) {
      connection.rollback();
      return Optional.of(refused);
    }
  }
}
