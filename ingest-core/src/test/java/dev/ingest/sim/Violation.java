package dev.ingest.sim;

import org.jspecify.annotations.Nullable;

/** A promise of the pipeline is broken. An error, so that nothing under test swallows it. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;
  private final String promise;

  /**
   * @param promise which one, such as {@code I1}
   */
  Violation(String promise, String message) {
    this(promise, message, null);
  }

  Violation(String promise, String message, @Nullable Throwable cause) {
    super(promise + ": " + message, cause);
    this.promise = promise;
  }

  /** The same with what a reader needs to see it again. */
  Violation with(String context) {
    return new Violation(promise, getMessage() + "\n" + context, this);
  }

  String promise() {
    return promise;
  }
}
