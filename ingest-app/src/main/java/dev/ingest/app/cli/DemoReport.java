package dev.ingest.app.cli;

import dev.ingest.app.run.Counts;
import dev.ingest.app.send.Sender;
import dev.ingest.app.verify.Report;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;

/** What a demo shows at its end. */
record DemoReport(Sender.Result sent, Counts.Snapshot counts, Report verified, Duration took) {
  private static final String SAMPLE =
      """
      SELECT business_key, topic || '-' || partition || '@' || record_offset AS position,
             left(coalesce(payload #>> '{properties,title}', payload ->> 'device', payload::text), 48)
      FROM ingest.event ORDER BY business_key DESC LIMIT 5
      """;

  boolean addsUp() {
    return counts.polled() == sent.records()
        && counts.done() == sent.records()
        && verified.holds()
        && verified.lag() == 0;
  }

  void print(PrintStream out, DataSource database) {
    out.println();
    row(out, "sent to Kafka", sent.records());
    row(out, "  of them sent again", sent.repeated());
    row(out, "polled", counts.polled());
    row(out, "  inserted", counts.inserted());
    row(out, "  duplicates", counts.duplicates());
    row(out, "  parked", counts.parked());
    row(out, "keys stored twice", verified.keysTwice());
    row(out, "events missing", verified.missing());
    row(out, "offsets not yet read", verified.lag());
    out.println(
        addsUp()
            ? "The numbers add up: polled = inserted + duplicates + parked, nothing twice, nothing missing."
            : "THE NUMBERS DO NOT ADD UP.");
    out.println();
    sample(out, database);
  }

  private static void row(PrintStream out, String what, long value) {
    out.printf(Locale.ROOT, "%-24s %,12d%n", what, value);
  }

  private static void sample(PrintStream out, DataSource database) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SAMPLE)) {
      out.println("Some rows of ingest.event:");
      while (rows.next()) {
        out.printf("  %-38s %-16s %s%n", rows.getString(1), rows.getString(2), rows.getString(3));
      }
    } catch (SQLException failed) {
      throw new IngestException(
          Code.POSTGRES_UNAVAILABLE,
          "sqlstate=" + failed.getSQLState() + ", rows can't be read",
          failed);
    }
  }
}
