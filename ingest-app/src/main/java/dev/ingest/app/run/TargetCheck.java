package dev.ingest.app.run;

import dev.ingest.app.config.Config;
import dev.ingest.app.config.RouteSettings;
import dev.ingest.app.jobs.FunctionCheck;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Holds mappings and jobs in the settings against the live catalog, for {@code run --check}. */
public final class TargetCheck {
  private TargetCheck() {}

  /**
   * Asks the database; reads nothing from Kafka and writes nothing.
   *
   * @return every problem as a sentence without a full stop, with the setting to change
   * @throws dev.ingest.event.IngestException where the database can't be asked
   */
  public static List<String> run(Config config) {
    CoreSettings.routes(config); // reads the schema files that the formats name
    DataSource database = Pools.single(config.postgres());
    List<String> problems = new ArrayList<>(FunctionCheck.problems(database, config.jobs()));
    config.routes().stream()
        .map(RouteSettings::target)
        .distinct()
        .forEach(
            target -> problems.addAll(dev.ingest.postgres.TargetCheck.problems(database, target)));
    return problems;
  }
}
