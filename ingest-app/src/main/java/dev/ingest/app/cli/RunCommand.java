package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.app.run.Startup;
import dev.ingest.pipeline.IngestConsumer;
import dev.ingest.pipeline.IngestEvents;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "  INGEST_POSTGRES_PASSWORD_FILE=/run/secrets/pg ingest run --no-migrate"
    })
final class RunCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  @Mixin private SettingOptions settings;

  @Option(
      names = "--no-migrate",
      description = "Only check the schema; for roles that may not CREATE.")
  private boolean noMigrate;

  private final CountDownLatch stopAsked = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  @Override
  public Integer call() throws InterruptedException {
    Config config = settings.load(EnumSet.allOf(Concern.class));
    LOG.info("starting: {}", config.summary());
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopFromSignal, "signal"));
    Startup startup = new Startup(config, stopAsked);
    if (!startup.prepareSchema(!noMigrate) || !startup.findTopics()) {
      stopped.countDown();
      return Main.DONE;
    }
    try {
      return run(IngestProcess.create(config, IngestEvents.NONE));
    } finally {
      stopped.countDown();
    }
  }

  private int run(IngestProcess process) throws InterruptedException {
    process.start();
    while (!stopAsked.await(100, TimeUnit.MILLISECONDS)) {
      if (process.hasFailed()) {
        process.drain();
        return Main.FAILED;
      }
    }
    boolean drained = process.drain();
    boolean failed =
        process.consumers().stream().anyMatch(each -> each.state() == IngestConsumer.State.FAILED);
    return drained && !failed ? Main.DONE : Main.FAILED;
  }

  /** On a signal the JVM would end with 143 whatever we return; a drained process ends with 0. */
  private void stopFromSignal() {
    if (stopped.getCount() == 0) {
      return;
    }
    stopAsked.countDown();
    try {
      stopped.await();
      Runtime.getRuntime().halt(Main.DONE);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
