package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.parked.ParkedEvent;
import dev.ingest.app.parked.ParkedTable;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows single parked events. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description =
        "Shows parked events one by one with both reasons; key, headers and value only with --payload.",
    footer = {
      "",
      "Examples:",
      "  ingest parked show --topic orders --partition 3 --offset 1311",
      "  ingest parked show --sqlstate 22P02 --limit 1 --payload"
    })
final class ParkedShowCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings;
  @Mixin private ParkedOptions options;
  @Mixin private ParkedStatus status;
  @Spec private CommandSpec spec;

  @Option(
      names = "--limit",
      defaultValue = "20",
      paramLabel = "N",
      description = "Events at most; ${DEFAULT-VALUE} where none are given.")
  private int limit;

  @Option(
      names = "--payload",
      description = "Print key, headers and value too; what is not text as base64.")
  private boolean payload;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @Override
  public Integer call() {
    Config config = settings.load(EnumSet.of(Concern.POSTGRES));
    List<ParkedEvent> events =
        OneConnection.with(
            config.postgres(),
            "reading parked events",
            connection ->
                new ParkedTable().events(connection, options.filter(status.names()), limit));
    PrintWriter out = spec.commandLine().getOut();
    for (ParkedEvent event : events) {
      Map<String, Object> fields = ParkedFields.of(event, payload);
      if (json) {
        out.println(Json.line(fields));
      } else {
        fields.forEach((name, value) -> out.printf("%-13s %s%n", name, value));
        out.println();
      }
    }
    if (events.isEmpty() && !json) {
      out.println("No such event is parked.");
    }
    return Main.DONE;
  }
}
