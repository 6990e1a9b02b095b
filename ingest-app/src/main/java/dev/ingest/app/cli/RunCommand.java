package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.metrics.ProcessMetrics;
import dev.ingest.app.run.AcceptedGaps;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.app.run.Pools;
import dev.ingest.app.run.QueueWork;
import dev.ingest.app.run.Startup;
import dev.ingest.app.run.TargetCheck;
import dev.ingest.app.run.Watched;
import dev.ingest.kafka.GapPolicy;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Ingests until it is asked to stop. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description =
        "Ingests events until it is asked to stop (SIGTERM, Ctrl-C); then drains and exits 0.",
    footer = {
      "",
      "Examples:",
      "  ingest run",
      "  ingest run --config prod.yaml --set ingest.source.consumers=4",
      "  ingest run --workers 4",
      "  ingest run --check",
      "  INGEST_POSTGRES_PASSWORD_FILE=/run/secrets/pg ingest run --no-migrate"
    })
final class RunCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  @Mixin private SettingOptions settings;

  @Option(
      names = "--no-migrate",
      description = "Only check the schema; for roles that may not CREATE.")
  private boolean noMigrate;

  @Option(
      names = "--check",
      description =
          "Only hold the mapping against the live tables, tell every problem and exit; code 3 where"
              + " there is one. Changes nothing.")
  private boolean check;

  @Option(
      names = "--accept-gap",
      description =
          "Goes on where a topic no longer holds what the group reads next, and records each gap in"
              + " ingest.gap. Without it the consumer stops and tells the gap.")
  private boolean acceptGap;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description =
          "Threads for each of ingest.jobs, over ingest.workers; 0 leaves the work to other processes.")
  private @Nullable Integer workers;

  @Spec private CommandSpec spec;

  private volatile int exitCode = Main.FAILED;
  private final CountDownLatch stopAsked = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  @Override
  public Integer call() throws InterruptedException {
    if (workers != null) {
      settings.assign("ingest.workers=" + workers);
    }
    Config config = settings.load(EnumSet.allOf(Concern.class));
    if (check) {
      return check(config);
    }
    LOG.info("starting: {}", config.summary());
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopFromSignal, "signal"));
    try {
      exitCode = ingest(config);
      return exitCode;
    } finally {
      stopped.countDown();
    }
  }

  private int ingest(Config config) throws InterruptedException {
    Startup startup = new Startup(config, stopAsked);
    String version = new Version().getVersion()[0];
    ProcessMetrics metrics = new ProcessMetrics();
    CompletableFuture<Boolean> built = new CompletableFuture<>();
    CompletableFuture<Boolean> ready = startup.runBeside(!noMigrate, built);
    try (QueueWork queueWork = QueueWork.create(config, metrics);
        Watched watched =
            Watched.create(
                config,
                version,
                gapPolicy(config),
                startup::waitingFor,
                metrics,
                queueWork.listener())) {
      built.complete(true);
      if (!result(ready)) {
        return Main.DONE;
      }
      queueWork.start();
      return run(watched.process(), queueWork);
    } finally {
      built.complete(false); // no news where it was built: a start that is refused changes nothing
      stopAsked.countDown(); // where building failed, nobody waits for servers any more
    }
  }

  private static boolean result(CompletableFuture<Boolean> ready) {
    try {
      return ready.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private int check(Config config) {
    List<String> problems = TargetCheck.run(config);
    PrintWriter out = spec.commandLine().getOut();
    problems.forEach(problem -> out.println(problem + "."));
    if (problems.isEmpty()) {
      out.println("The mapping fits.");
    }
    return problems.isEmpty() ? Main.DONE : Main.FOUND_PROBLEMS;
  }

  private GapPolicy gapPolicy(Config config) {
    return acceptGap
        ? new AcceptedGaps(Pools.single(config.postgres()), config.source().groupId())
        : GapPolicy.STOP;
  }

  private int run(IngestProcess process, QueueWork queueWork) throws InterruptedException {
    process.start();
    while (!stopAsked.await(100, TimeUnit.MILLISECONDS) && !process.hasFailed()) {
      // still ingesting
    }
    long start = System.nanoTime();
    LOG.info("draining");
    CompletableFuture<Void> working = CompletableFuture.runAsync(queueWork::close);
    boolean drained = process.drain();
    working.join();
    LOG.info("stopped: drained={} took={}ms", drained, (System.nanoTime() - start) / 1_000_000);
    // The log has told why a consumer failed.
    return process
        .failure()
        .map(failure -> Failures.exitCode(failure.code()))
        .orElse(drained ? Main.DONE : Main.FAILED);
  }

  /**
   * On a signal the JVM would end with 143 whatever we return; a process that drained ends with 0.
   */
  private void stopFromSignal() {
    if (stopped.getCount() == 0) {
      return;
    }
    stopAsked.countDown();
    try {
      stopped.await();
      Runtime.getRuntime().halt(exitCode);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
