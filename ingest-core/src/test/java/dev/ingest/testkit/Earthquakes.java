package dev.ingest.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** 1,707 real events with distinct keys; origin in the resource folder's README. */
public final class Earthquakes {
  private static final String ID = "\"id\":\"";

  /** One event: its business key and its JSON. */
  public record Quake(String id, String json) {}

  private Earthquakes() {}

  public static List<Quake> all() {
    InputStream resource = Earthquakes.class.getResourceAsStream("/earthquakes/earthquakes.ndjson");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(resource, "earthquakes"), UTF_8))) {
      return lines.lines().map(line -> new Quake(id(line), line)).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String id(String line) {
    int start = line.lastIndexOf(ID) + ID.length();
    return line.substring(start, line.indexOf('"', start));
  }
}
