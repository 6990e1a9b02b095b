package dev.ingest.app.bench;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.pipeline.IngestEvents;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/** The product as a contestant. */
final class ProductRun {
  private ProductRun() {}

  static Measured run(Contestant contestant, Workload workload, Meter meter, String lockMode)
      throws InterruptedException {
    try (IngestProcess process = IngestProcess.create(config(workload, lockMode), metered(meter))) {
      process.start();
      return meter.await(contestant.title());
    }
  }

  private static Config config(Workload workload, String lockMode) {
    return Config.load(
        SettingSources.only(
            List.of(
                "ingest.source.topics=" + workload.topic(),
                "ingest.source.group-id=" + workload.group(),
                "ingest.source.consumers=" + workload.consumers(),
                "ingest.batch.max-events=" + workload.batch(),
                "ingest.lock.mode=" + lockMode,
                "ingest.kafka.bootstrap.servers=" + workload.bootstrap(),
                "ingest.postgres.url=" + workload.url(),
                "ingest.postgres.user=postgres")),
        EnumSet.allOf(Concern.class));
  }

  private static IngestEvents metered(Meter meter) {
    return new IngestEvents() {
      @Override
      public void polled(String topic, int events) {
        meter.polled();
      }

      @Override
      public void batchDone(int events, Duration took) {
        meter.stored(events);
      }
    };
  }
}
