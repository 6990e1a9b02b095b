package dev.ingest.postgres;

import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.postgres.MappingRules.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Makes targets of mappings, for the catalog as it is now. */
final class Targets {
  private Targets() {}

  /**
   * Reads the catalog in the transaction that is open, and changes its {@code search_path}.
   *
   * @param mappings by name of the route
   * @return targets by name of the route
   * @throws StoreFault where a mapping does not fit its table; it may, once somebody has changed
   *     the table
   */
  static Map<String, TargetTable> resolve(
      Connection connection, Map<String, TargetMapping> mappings) throws SQLException {
    Map<String, Long> oids = new LinkedHashMap<>();
    for (Map.Entry<String, TargetMapping> each : mappings.entrySet()) {
      Optional<Long> oid = TargetCatalog.find(connection, each.getValue().table());
      oids.put(each.getKey(), oid.orElseThrow(() -> fault(MappingRules.missing(each.getValue()))));
    }
    TargetCatalog.qualifyNames(connection);
    Map<String, TargetTable> targets = new LinkedHashMap<>();
    for (Map.Entry<String, Long> each : oids.entrySet()) {
      TargetMapping mapping = Objects.requireNonNull(mappings.get(each.getKey()));
      CatalogTable table = TargetCatalog.read(connection, each.getValue());
      targets.put(each.getKey(), build(mapping, table));
    }
    return targets;
  }

  private static TargetTable build(TargetMapping mapping, CatalogTable table) {
    List<Problem> problems = MappingRules.problems(mapping, table);
    if (!problems.isEmpty()) {
      throw fault(problems.get(0));
    }
    return TargetBuilder.build(mapping, table);
  }

  private static StoreFault fault(Problem problem) {
    return new StoreFault(FaultKind.ENVIRONMENT, problem.sqlState(), problem.text(), null);
  }
}
