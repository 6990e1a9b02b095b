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
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
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
    description = "Sends the lines of an NDJSON file in UTF-8, or of standard input, to a topic.",
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

  @Option(
      names = {"-q", "--quiet"},
      description =
          "Say nothing. Without it the outcome is a line on standard error, and at a terminal progress is shown.")
  private boolean quiet;

  @Override
  public Integer call() {
    if (file == null && repeat > 1) {
      throw new IngestException(
          Code.CONFIG_INVALID, "--repeat=" + repeat + " needs a FILE; standard input comes once.");
    }
    SendPlan plan = new SendPlan(topic, key, repeat, duplicates, scatter, System.nanoTime());
    Config config = settings.load(EnumSet.of(Concern.KAFKA));
    boolean terminal = !quiet && Terminal.showsErrors();
    InstantSource clock = InstantSource.system();
    SendProgress progress =
        new SendProgress(new ProgressLine(System.err, terminal, clock), inputBytes(), clock);
    try (Sender sender = new Sender(config.kafka().properties(), plan)) {
      Sender.Result sent =
          sender.send(() -> lines(progress), terminal ? progress::sent : count -> {});
      if (!quiet) {
        progress.end(
            "sent " + thousands(sent.records()) + ", of them again " + thousands(sent.repeated()));
      }
      return Main.DONE;
    }
  }

  /** A pipe with a name has no size, like standard input. */
  private long inputBytes() {
    try {
      return file == null || !Files.isRegularFile(file)
          ? SendProgress.UNKNOWN
          : repeat * Files.size(file);
    } catch (IOException unreadable) {
      return SendProgress.UNKNOWN; // reading it says why
    }
  }

  /** Bytes that are no UTF-8 end the stream with an error. */
  private Stream<String> lines(SendProgress progress) {
    InputStream input = progress.counted(open());
    BufferedReader reader = new BufferedReader(new InputStreamReader(input, UTF_8.newDecoder()));
    return reader.lines().onClose(() -> close(reader));
  }

  private InputStream open() {
    try {
      return file == null ? System.in : Files.newInputStream(file);
    } catch (IOException unreadable) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "file=" + file + " can't be read; name a readable file.",
          unreadable);
    }
  }

  private static void close(BufferedReader reader) {
    try {
      reader.close();
    } catch (IOException all) {
      throw new UncheckedIOException(all);
    }
  }

  private static String thousands(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
