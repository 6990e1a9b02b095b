package dev.ingest.sim;

/** The process of a consumer is gone, in the middle of what it did. */
final class Crash extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Crash() {
    super("crash", null, false, false);
  }
}
