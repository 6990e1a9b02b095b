package dev.ingest.sim;

import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.EventSource;
import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.IngestEvents;

/**
 * Where a bug can be planted: between the pipeline and its ports. Each port is one call away from
 * the loops, so a wrong order, a swallowed callback or a wrong answer looks the same from outside
 * as if the loop itself had got it wrong, and production code needs no switch for it.
 */
interface Plant {
  /** The pipeline as it is. */
  Plant NOTHING = new Plant() {};

  default EventSource source(EventSource real) {
    return real;
  }

  default EventStore store(EventStore real, EventSource source, IngestEvents listener) {
    return real;
  }

  default BadEvents badEvents(BadEvents real) {
    return real;
  }
}
