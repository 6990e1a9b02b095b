package dev.ingest.app.bench.pipeline;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import dev.ingest.app.run.IngestProcess;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** The product as a contestant. */
final class ProductRun {
  private ProductRun() {}

  /**
   * @param more settings, as {@code --set} takes them
   */
  static Measured run(Workload workload, Meter meter, String... more) throws InterruptedException {
    try (IngestProcess process =
        IngestProcess.create(config(workload, List.of(more)), metered(meter))) {
      process.start();
      return meter.await();
    }
  }

  private static Config config(Workload workload, List<String> more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "ingest.source.topics=" + workload.topic(),
                "ingest.source.group-id=" + workload.group(),
                "ingest.source.consumers=" + workload.consumers(),
                "ingest.batch.max-events=" + workload.batch(),
                "ingest.batch.linger=" + workload.lingerMillis() + "ms",
                "ingest.kafka.bootstrap.servers=" + workload.bootstrap(),
                "ingest.postgres.url=" + workload.database().url(),
                "ingest.postgres.user=" + workload.database().user()));
    if (!workload.database().password().isEmpty()) {
      settings.add("ingest.postgres.password=" + workload.database().password());
    }
    if (!workload.table().isEmpty()) {
      settings.add("ingest.target.table=" + workload.table());
      settings.add("ingest.target.columns.business_key=key");
      settings.add("ingest.target.columns.payload=payload");
    }
    settings.addAll(more);
    return Config.load(SettingSources.only(settings), EnumSet.allOf(Concern.class));
  }

  private static IngestEvents metered(Meter meter) {
    return new IngestEvents() {
      @Override
      public void polled(String topic, int events) {
        if (events > 0) {
          meter.polled();
        }
      }

      @Override
      public void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {
        meter.committed(applied.inserted() + applied.duplicates(), applied.phases());
      }

      @Override
      public void batchDone(int events, Duration took) {
        meter.stored(events);
      }
    };
  }
}
