package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.dev.DevServers;
import dev.ingest.app.run.CoreSettings;
import dev.ingest.app.run.Counts;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.app.run.Pools;
import dev.ingest.app.schema.Migrations;
import dev.ingest.app.send.SendPlan;
import dev.ingest.app.send.Sender;
import dev.ingest.app.verify.Report;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.pipeline.IngestEvents;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** The whole path on embedded servers: send, ingest with two consumers, verify, show. */
final class DemoRun {
  private static final String TOPIC = "demo";
  private static final int PARTITIONS = 4;
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final DemoInput input;
  private final SendPlan plan;
  private final PrintStream out;
  private final ProgressLine progress;

  /**
   * @throws IngestException {@code CONFIG_INVALID} where this can't be sent
   */
  DemoRun(DemoInput input, int duplicatesPercent, PrintStream out, boolean terminal) {
    this.input = input;
    this.plan =
        new SendPlan(TOPIC, input.keyPointer(), 1, duplicatesPercent, true, System.nanoTime());
    this.out = out;
    this.progress = new ProgressLine(out, terminal, InstantSource.system());
  }

  /**
   * @return whether the numbers add up
   */
  boolean run(DevServers servers) {
    Config config = config(servers);
    createTopic(config);
    new Migrations(Pools.single(config.postgres())).migrate();
    Counts counts = new Counts();
    Sender.Result sent;
    Instant start = Instant.now();
    try (IngestProcess process = IngestProcess.create(config, IngestEvents.all(List.of(counts)))) {
      process.start();
      sent = sendAndWait(config, process, counts, start);
    }
    DemoReport report =
        new DemoReport(
            sent, counts.snapshot(), verify(config), Duration.between(start, Instant.now()));
    report.print(out, Pools.single(config.postgres()));
    return report.addsUp();
  }

  private Config config(DevServers servers) {
    return Config.load(
        SettingSources.only(
            List.of(
                "ingest.source.topics=" + TOPIC,
                "ingest.source.group-id=demo",
                "ingest.source.consumers=2",
                "ingest.kafka.bootstrap.servers=" + servers.kafka().bootstrap(),
                "ingest.postgres.url=" + servers.postgres().url(),
                "ingest.postgres.user=" + servers.postgres().user())),
        EnumSet.allOf(Concern.class));
  }

  private static void createTopic(Config config) {
    try (Admin admin = Admin.create(Map.copyOf(config.kafka().properties()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
    } catch (ExecutionException refused) {
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE, "topic=" + TOPIC + " can't be made", refused.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.KAFKA_UNAVAILABLE, "interrupted", stopped);
    }
  }

  private Sender.Result sendAndWait(
      Config config, IngestProcess process, Counts counts, Instant start) {
    CompletableFuture<Sender.Result> sending =
        CompletableFuture.supplyAsync(() -> send(config), task -> new Thread(task, "send").start());
    while (!sending.isDone() || counts.snapshot().done() < sent(sending).records()) {
      Optional<IngestException> failure = process.failure();
      if (failure.isPresent()) {
        throw failure.get();
      }
      if (Duration.between(start, Instant.now()).compareTo(DEADLINE) > 0) {
        throw new IngestException(
            Code.STORE_FAILED, "not done after " + DEADLINE.toMinutes() + " minutes.");
      }
      progress.show(() -> line(counts.snapshot(), start));
      pause();
    }
    progress.end(line(counts.snapshot(), start));
    return sent(sending);
  }

  private Sender.Result send(Config config) {
    try (Sender sender = new Sender(config.kafka().properties(), plan)) {
      return sender.send(input::lines, sent -> {});
    }
  }

  private static Sender.Result sent(CompletableFuture<Sender.Result> sending) {
    try {
      return sending.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof IngestException ours ? ours : failed;
    }
  }

  private static String line(Counts.Snapshot counts, Instant start) {
    double seconds = Math.max(0.001, Duration.between(start, Instant.now()).toMillis() / 1000.0);
    return String.format(
        Locale.ROOT,
        "%,10d events  %,8.0f/s  inserted %,d  duplicates %,d  parked %,d  waiting %,d",
        counts.done(),
        counts.done() / seconds,
        counts.inserted(),
        counts.duplicates(),
        counts.parked(),
        counts.polled() - counts.done());
  }

  private static Report verify(Config config) {
    return CoreSettings.verification(config)
        .run(config.kafka().properties(), Pools.single(config.postgres()));
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.VERIFY_FAILED, "the demo was interrupted", stopped);
    }
  }
}
