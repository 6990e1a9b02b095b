package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.bench.BenchServers;
import dev.ingest.app.bench.Database;
import dev.ingest.app.bench.report.Report;
import dev.ingest.app.bench.report.ReportHtml;
import dev.ingest.app.bench.report.ReportJson;
import dev.ingest.app.bench.report.ReportText;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What all measurements have in common: servers, rounds, and where the report goes. */
final class BenchOptions {
  @Option(
      names = "--postgres",
      paramLabel = "URL",
      description =
          "Your server as jdbc:postgresql://…; the database of the measurement is made there and removed again."
              + " Without it an embedded server starts.")
  private @Nullable String postgres;

  @Option(
      names = "--postgres-user",
      paramLabel = "ROLE",
      defaultValue = "postgres",
      description = "Role that may make databases (default: ${DEFAULT-VALUE}).")
  private String user = "postgres";

  @Option(
      names = "--postgres-password-file",
      paramLabel = "FILE",
      description = "File that holds its password.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description =
          "Your brokers; topics are made there and removed again. Without it an embedded broker starts.")
  private @Nullable String kafka;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often each contestant runs, in turn (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the report with plots as one page that needs no network, too.")
  private @Nullable Path html;

  int rounds() {
    if (rounds < 1) {
      throw new IngestException(Code.CONFIG_INVALID, "--rounds=" + rounds + " is below 1.");
    }
    return rounds;
  }

  /**
   * @param brokers whether the measurement needs any
   */
  BenchServers open(boolean brokers) {
    return BenchServers.open(
        postgres == null ? null : new Database(postgres, user, password()), brokers ? kafka : "");
  }

  private String password() {
    try {
      return passwordFile == null ? "" : Files.readString(passwordFile, UTF_8).strip();
    } catch (IOException unreadable) {
      throw new IngestException(
          Code.CONFIG_INVALID, "--postgres-password-file can't be read.", unreadable);
    }
  }

  void write(Report report, PrintWriter out) {
    ReportText.print(report, out);
    if (json != null) {
      write(json, ReportJson.write(report), out);
    }
    if (html != null) {
      write(html, ReportHtml.write(report), out);
    }
  }

  private static void write(Path file, String text, PrintWriter out) {
    try {
      Files.writeString(file, text, UTF_8);
      out.println("Written: " + file);
    } catch (IOException refused) {
      throw new IngestException(
          Code.CONFIG_INVALID, file + " can't be written; the report stands above.", refused);
    }
  }
}
