package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.send.SendPlan;
import dev.ingest.app.send.Sender;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends lines to a topic, for trials. */
@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    description = "Sends the lines of an NDJSON file, or of standard input, to a topic.",
    footer = {
      "",
      "Examples:",
      "  ingest send --topic orders --key /order/id orders.ndjson",
      "  zcat orders.ndjson.gz | ingest send --topic orders --key /order/id",
      "  ingest send --topic orders --key /id --repeat 3 --duplicates 20 --scatter orders.ndjson"
    })
final class SendCommand implements Callable<Integer> {
  @Mixin private SettingOptions settings;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "NDJSON file; standard input where it is not given.")
  private @Nullable Path file;

  @Option(names = "--topic", required = true, description = "Where to; the topic exists already.")
  private String topic = "";

  @Option(
      names = "--key",
      paramLabel = "POINTER",
      description = "JSON pointer to the record key in each line; without it records have no key.")
  private @Nullable String key;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Send the whole file this often (default: ${DEFAULT-VALUE}).")
  private int repeat;

  @Option(
      names = "--duplicates",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "Share of records that repeat an earlier one (default: ${DEFAULT-VALUE}).")
  private int duplicates;

  @Option(
      names = "--scatter",
      description = "Use random partitions, so that one key meets itself on several.")
  private boolean scatter;

  @Override
  public Integer call() {
    if (file == null && repeat > 1) {
      throw new IngestException(
          Code.CONFIG_INVALID, "--repeat=" + repeat + " needs a FILE; standard input comes once.");
    }
    SendPlan plan = new SendPlan(topic, key, repeat, duplicates, scatter, System.nanoTime());
    Config config = settings.load(EnumSet.of(Concern.KAFKA));
    ProgressLine progress =
        new ProgressLine(System.err, System.console() != null, InstantSource.system());
    try (Sender sender = new Sender(config.kafka().properties(), plan)) {
      Sender.Result sent =
          sender.send(this::lines, count -> progress.show(() -> "sent " + thousands(count)));
      progress.end(
          "sent " + thousands(sent.records()) + ", of them again " + thousands(sent.repeated()));
      return Main.DONE;
    }
  }

  private Stream<String> lines() {
    try {
      return file == null
          ? new BufferedReader(new InputStreamReader(System.in, UTF_8)).lines()
          : Files.lines(file, UTF_8);
    } catch (IOException unreadable) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "file=" + file + " can't be read; name a readable file.",
          unreadable);
    }
  }

  private static String thousands(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
