package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.parked.ParkedFilter;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Takes parked events out of the way. */
@Command(
    name = "discard",
    mixinStandardHelpOptions = true,
    description = {
      "Takes parked events out of the way: they stay in the table as discarded, count as accounted for, and are",
      "tried no more. With --erase key, headers and value are forgotten, which cannot be undone."
    },
    footer = {
      "",
      "Examples:",
      "  ingest parked discard --sqlstate 22P02 --dry-run",
      "  ingest parked discard --topic orders --until 30d --erase"
    })
final class ParkedDiscardCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings;
  @Mixin private ParkedOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--all", description = "Needed where nothing says which events are meant.")
  private boolean all;

  @Option(names = "--erase", description = "Also forget key, headers and value.")
  private boolean erase;

  @Option(names = "--dry-run", description = "Only say which events are meant.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print the outcome as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    List<String> statuses =
        erase ? List.of(ParkedFilter.PARKED, ParkedFilter.DISCARDED) : List.of(ParkedFilter.PARKED);
    ParkedFilter filter = options.filter(statuses);
    if (filter.isOpen() && !all) {
      throw new ParameterException(
          spec.commandLine(), "This means every parked event: say which, or --all.");
    }
    Config config = settings.load(EnumSet.of(Concern.POSTGRES));
    PrintWriter out = spec.commandLine().getOut();
    if (dryRun) {
      return ParkedCauses.dryRun(config, filter, json, out);
    }
    long discarded =
        OneConnection.with(
            config.postgres(),
            "discarding parked events",
            connection -> new ParkedTable().discard(connection, filter, erase));
    out.println(
        json
            ? Json.line(Map.of("discarded", discarded))
            : "Discarded " + discarded + " events" + (erase ? " and what they held." : "."));
    return Main.DONE;
  }
}
