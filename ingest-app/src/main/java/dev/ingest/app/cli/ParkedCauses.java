package dev.ingest.app.cli;

import dev.ingest.app.config.Config;
import dev.ingest.app.parked.ParkedCause;
import dev.ingest.app.parked.ParkedFilter;
import dev.ingest.app.parked.ParkedTable;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows which events are meant, by cause. */
final class ParkedCauses {
  private ParkedCauses() {}

  /**
   * @throws dev.ingest.event.IngestException where the database says no
   */
  static void show(Config config, ParkedFilter filter, boolean json, PrintWriter out) {
    List<ParkedCause> causes =
        OneConnection.with(
            config.postgres(),
            "listing parked events",
            connection -> new ParkedTable().causes(connection, filter));
    if (json) {
      out.println(Json.pretty(causes.stream().map(ParkedCauses::fields).toList()));
    } else {
      ParkedText.print(out, causes);
    }
  }

  /** The same as all that a command does. */
  static int dryRun(Config config, ParkedFilter filter, boolean json, PrintWriter out) {
    show(config, filter, json, out);
    if (!json) {
      out.println("Nothing was done.");
    }
    return Main.DONE;
  }

  private static Map<String, Object> fields(ParkedCause cause) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("events", cause.events());
    fields.put("topic", cause.topic());
    fields.put("route", cause.route());
    fields.put("status", cause.status());
    fields.put("sqlState", cause.sqlState());
    fields.put("constraint", cause.constraint());
    fields.put("column", cause.column());
    fields.put("reason", cause.reason());
    fields.put("mostAttempts", cause.mostAttempts());
    fields.put("firstParked", cause.firstParked().toString());
    fields.put("lastParked", cause.lastParked().toString());
    return fields;
  }
}
