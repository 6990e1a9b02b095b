package dev.ingest.queue;

/**
 * Which of the waiting jobs of a queue come first. Strict: a lower one waits for all higher ones.
 */
public enum Priority {
  HIGH,
  NORMAL,
  LOW;

  static final int COUNT = values().length;

  static Priority of(int code) {
    return values()[code];
  }

  /** As the column holds it. */
  int code() {
    return ordinal();
  }
}
