package dev.ingest.app.bench.strategies;

import dev.ingest.event.Event;
import java.util.List;

/** Writes batches, each until it is committed. One thread at a time. */
interface BatchSession extends AutoCloseable {
  void write(List<Event> batch);

  @Override
  void close();
}
