package dev.ingest.app.cli;

import dev.ingest.app.parked.ParkedCause;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Causes of parked events for people. */
final class ParkedText {
  private static final String ROW = "%10s  %-9s  %-8s  %8s  %-20s  %s%n";

  private ParkedText() {}

  static void print(PrintWriter out, List<ParkedCause> causes) {
    if (causes.isEmpty()) {
      out.println("No such event is parked.");
      return;
    }
    out.printf(ROW, "events", "status", "sqlstate", "attempts", "last parked", "topic, reason");
    for (ParkedCause cause : causes) {
      out.printf(
          ROW,
          String.format(Locale.ROOT, "%,d", cause.events()),
          cause.status(),
          cause.sqlState() == null ? "-" : cause.sqlState(),
          cause.mostAttempts(),
          cause.lastParked().toString().substring(0, 19) + "Z",
          topic(cause) + ": " + cause.reason());
    }
    long events = causes.stream().mapToLong(ParkedCause::events).sum();
    out.printf(Locale.ROOT, "%,d events, %,d causes%n", events, causes.size());
  }

  private static String topic(ParkedCause cause) {
    return cause.route().equals("default")
        ? cause.topic()
        : cause.topic() + " by route " + cause.route();
  }
}
