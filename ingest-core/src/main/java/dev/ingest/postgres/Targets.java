package dev.ingest.postgres;

import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.postgres.MappingRules.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Makes targets of mappings, for the catalog as it is now. */
final class Targets {
  private Targets() {}

  /**
   * Reads the catalog in the transaction that is open, and changes its {@code search_path}.
   *
   * @throws StoreFault where the mapping does not fit the table; it may, once somebody has changed
   *     the table
   */
  static TargetTable resolve(Connection connection, TargetMapping mapping) throws SQLException {
    Optional<CatalogTable> table = TargetCatalog.read(connection, mapping.table());
    if (table.isEmpty()) {
      throw fault(MappingRules.missing(mapping));
    }
    List<Problem> problems = MappingRules.problems(mapping, table.get());
    if (!problems.isEmpty()) {
      throw fault(problems.get(0));
    }
    return TargetBuilder.build(mapping, table.get());
  }

  private static StoreFault fault(Problem problem) {
    return new StoreFault(FaultKind.ENVIRONMENT, problem.sqlState(), problem.text(), null);
  }
}
