package dev.ingest.app.config;

import java.util.Objects;

/** A text that is never printed: {@link #toString} masks it. Immutable. */
public record Secret(String reveal) {
  /** What is shown in place of a secret. */
  public static final String MASK = "********";

  /** No secret at all. */
  public static final Secret NONE = new Secret("");

  public Secret {
    Objects.requireNonNull(reveal, "reveal");
  }

  public boolean isPresent() {
    return !reveal.isEmpty();
  }

  @Override
  public String toString() {
    return isPresent() ? MASK : "";
  }
}
