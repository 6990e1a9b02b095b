package dev.ingest.testkit;

import dev.ingest.pipeline.IngestMeter;
import java.util.Arrays;
import java.util.List;

/** The meters that consumers register; the program's look at jobs and the database makes others. */
public final class ConsumersMeters {
  private ConsumersMeters() {}

  public static List<IngestMeter> all() {
    return Arrays.stream(IngestMeter.values())
        .filter(meter -> !meter.meterName().startsWith("ingest.jobs."))
        .filter(meter -> !meter.meterName().startsWith("ingest.postgres."))
        .toList();
  }
}
