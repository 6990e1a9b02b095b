package dev.ingest.app.bench.pipeline;

import java.util.Map;

/** A contestant at work in a process of its own; closing ends it. */
interface Running extends AutoCloseable {
  long pid();

  /** Whether it has ended in another way than well. */
  boolean hasFailed();

  /** What it said last; for the message when it fails. */
  String complaint();

  /** Where the time of its transactions went, once all is stored; empty where it does not tell. */
  Map<String, Double> phases();

  @Override
  void close();
}
