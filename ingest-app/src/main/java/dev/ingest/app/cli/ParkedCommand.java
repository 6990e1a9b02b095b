package dev.ingest.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Events that could not be stored: what there is, and how it comes back. */
@Command(
    name = "parked",
    mixinStandardHelpOptions = true,
    description = "Events that could not be stored: what there is and why, and how it comes back.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ParkedListCommand.class,
      ParkedShowCommand.class,
      ParkedRetryCommand.class,
      ParkedDiscardCommand.class,
    },
    footer = {
      "",
      "Examples:",
      "  ingest parked list",
      "  ingest parked show --sqlstate 23514 --limit 3",
      "  ingest parked retry --constraint orders_customer_fkey --dry-run",
      "  ingest parked discard --topic orders --sqlstate 22P02"
    })
final class ParkedCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command? Name one of those below.");
  }
}
