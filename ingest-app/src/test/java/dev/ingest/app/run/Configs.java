package dev.ingest.app.run;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Settings for tests that contact nothing. */
final class Configs {
  private static final List<String> REQUIRED =
      List.of(
          "ingest.source.topics=orders",
          "ingest.kafka.bootstrap.servers=127.0.0.1:1",
          "ingest.postgres.url=jdbc:postgresql://127.0.0.1:1/none",
          "ingest.postgres.user=nobody");

  private Configs() {}

  /**
   * @param more assignments over the required ones
   */
  static Config with(String... more) {
    List<String> assignments = new ArrayList<>(REQUIRED);
    assignments.addAll(List.of(more));
    return Config.load(SettingSources.only(assignments), EnumSet.allOf(Concern.class));
  }
}
