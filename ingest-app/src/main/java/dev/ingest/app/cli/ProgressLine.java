package dev.ingest.app.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * A line that is written over at a terminal, or a plain line now and then elsewhere.
 * Single-threaded.
 */
final class ProgressLine {
  private static final Duration AT_TERMINAL = Duration.ofMillis(200);
  private static final Duration ELSEWHERE = Duration.ofSeconds(2);

  private final PrintStream out;
  private final boolean terminal;
  private final InstantSource clock;
  private Instant next;

  ProgressLine(PrintStream out, boolean terminal, InstantSource clock) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
    this.next = clock.instant().plus(interval());
  }

  /** Shows the text if it is time to. */
  void show(Supplier<String> text) {
    if (!clock.instant().isBefore(next)) {
      next = clock.instant().plus(interval());
      print(text.get());
    }
  }

  /** Shows the text and ends the line. */
  void end(String text) {
    print(text);
    if (terminal) {
      out.println();
    }
  }

  private void print(String text) {
    if (terminal) {
      out.print("\r\u001b[K" + text);
      out.flush();
    } else {
      out.println(text);
    }
  }

  private Duration interval() {
    return terminal ? AT_TERMINAL : ELSEWHERE;
  }
}
