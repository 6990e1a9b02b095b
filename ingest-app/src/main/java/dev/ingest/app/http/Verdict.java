package dev.ingest.app.http;

import java.util.List;

/**
 * The answer of a health check. Immutable.
 *
 * @param problems why it is not ok, one short sentence each; empty where it is
 */
public record Verdict(List<String> problems) {
  public Verdict {
    problems = List.copyOf(problems);
  }

  public boolean ok() {
    return problems.isEmpty();
  }
}
