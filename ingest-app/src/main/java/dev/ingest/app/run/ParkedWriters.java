package dev.ingest.app.run;

import dev.ingest.app.config.Config;
import dev.ingest.app.config.RouteSettings;
import dev.ingest.app.jobs.EventJobs;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.pipeline.EventWriter;
import dev.ingest.postgres.PostgresEventStore;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Writes parked events by the route on which they were parked, as its consumers would; what is
 * refused is parked again, whatever the settings say of bad events. One thread at a time.
 */
public final class ParkedWriters implements Function<String, EventWriter> {
  private final Config config;
  private final DataSource pool;
  private final Map<String, EventWriter> made = new HashMap<>();

  private ParkedWriters(Config config, DataSource pool) {
    this.config = config;
    this.pool = pool;
  }

  /** Needs the settings of the source, which say what routes there are. */
  public static ParkedWriters of(Config config, DataSource pool) {
    return new ParkedWriters(config, pool);
  }

  /**
   * @throws IngestException where the settings have no such route
   */
  @Override
  public EventWriter apply(String route) {
    return made.computeIfAbsent(route, this::make);
  }

  private EventWriter make(String name) {
    RouteSettings route =
        config.routes().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> noSuchRoute(name));
    return new EventWriter(
        new PostgresEventStore(pool, CoreSettings.store(config), new EventJobs(config.jobs())),
        CoreSettings.parkingOn(config, route));
  }

  private static IngestException noSuchRoute(String name) {
    return new IngestException(
        Code.CONFIG_INVALID,
        "events are parked on route "
            + name
            + ", which the settings do not have; set ingest.routes."
            + name
            + ".*, or choose others with --route.");
  }
}
