package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.cli.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/** What a process says of itself over HTTP. */
record Meters(List<String> lines) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  Meters {
    lines = List.copyOf(lines);
  }

  static Meters of(Program program) throws IOException, InterruptedException {
    return new Meters(get(program, "/metrics").lines().toList());
  }

  /** What the process answers at a path, whatever the status. */
  static String get(Program program, String path) throws IOException, InterruptedException {
    String line = program.awaitLine("serving health, metrics and console");
    String address = line.substring(line.indexOf("address=") + "address=".length()).strip();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address).resolve(path))
            .timeout(Duration.ofSeconds(20))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString()).body();
  }

  long polled() {
    return sum("ingest_events_polled_total", "") - sum("ingest_events_released_total", "");
  }

  long inserted() {
    return outcome("inserted");
  }

  long duplicates() {
    return outcome("duplicate");
  }

  long parked() {
    return outcome("parked");
  }

  /** All that is known to be done. */
  long done() {
    return sum("ingest_events_total", "");
  }

  /** Transactions tried again because of a SQLSTATE. */
  long retries(String sqlState) {
    return sum("ingest_retries_total", "sqlstate=\"" + sqlState + "\"");
  }

  /** Events that are not done, as the process sees it. */
  long lag() {
    return sum("ingest_lag", "");
  }

  private long outcome(String outcome) {
    return sum("ingest_events_total", "outcome=\"" + outcome + "\"");
  }

  private long sum(String name, String tag) {
    return (long)
        lines.stream()
            .filter(line -> line.startsWith(name + "{") && line.contains(tag))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
            .sum();
  }

  /** I6: every event that was read is accounted for, and the rows are what was counted. */
  void assertExact(long rows) {
    assertThat(done()).as("inserted + duplicate + parked + skipped").isEqualTo(polled());
    assertThat(inserted()).as("counted as inserted").isEqualTo(rows);
  }
}
