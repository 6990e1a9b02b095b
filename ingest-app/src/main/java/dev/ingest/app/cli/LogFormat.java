package dev.ingest.app.cli;

/** How a log line is written. */
enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object a line, for collectors. */
  JSON
}
