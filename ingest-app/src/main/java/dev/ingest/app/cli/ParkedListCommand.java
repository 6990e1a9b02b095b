package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.parked.ParkedCause;
import dev.ingest.app.parked.ParkedTable;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists parked events by cause. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description =
        "Lists parked events by cause, the most frequent first. Reads only; shows no payload.",
    footer = {
      "",
      "Examples:",
      "  ingest parked list",
      "  ingest parked list --topic orders --since 2h",
      "  ingest parked list --status discarded --json"
    })
final class ParkedListCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings;
  @Mixin private ParkedOptions options;
  @Mixin private ParkedStatus status;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print the list as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Config config = settings.load(EnumSet.of(Concern.POSTGRES));
    List<ParkedCause> causes =
        OneConnection.with(
            config.postgres(),
            "listing parked events",
            connection -> new ParkedTable().causes(connection, options.filter(status.names())));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.pretty(causes.stream().map(ParkedListCommand::fields).toList()));
    } else {
      ParkedText.print(out, causes);
    }
    return Main.DONE;
  }

  static Map<String, Object> fields(ParkedCause cause) {
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
