package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import java.util.EnumSet;
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
    ParkedCauses.show(config, options.filter(status.names()), json, spec.commandLine().getOut());
    return Main.DONE;
  }
}
