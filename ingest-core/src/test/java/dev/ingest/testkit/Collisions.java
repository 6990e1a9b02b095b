package dev.ingest.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Pairs of keys with one {@code hashtext}, found on a server. */
public final class Collisions {
  /** Two keys and the hash they share. */
  public record Pair(String first, String second, int hash) {}

  private static final List<Pair> ALL = read();

  private Collisions() {}

  public static List<Pair> all() {
    return ALL;
  }

  private static List<Pair> read() {
    try (InputStream lines =
        Collisions.class.getResourceAsStream("/hashtext/hashtext-collisions.tsv")) {
      return new String(Objects.requireNonNull(lines).readAllBytes(), UTF_8)
          .lines()
          .map(line -> line.split("\t", -1))
          .map(fields -> new Pair(fields[0], fields[1], Integer.parseInt(fields[2])))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
