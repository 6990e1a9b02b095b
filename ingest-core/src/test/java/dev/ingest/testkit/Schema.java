package dev.ingest.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The product's own schema in a test database. */
public final class Schema {
  private static final List<String> VERSIONS =
      List.of("V1__event_and_parked.sql", "V2__job.sql", "V3__gap.sql");

  private Schema() {}

  public static void create(TestDatabase database) {
    database.execute("CREATE SCHEMA ingest");
    VERSIONS.forEach(version -> database.execute(read(version)));
  }

  private static String read(String name) {
    try (InputStream sql = Schema.class.getResourceAsStream("/dev/ingest/schema/" + name)) {
      return new String(Objects.requireNonNull(sql, name).readAllBytes(), UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
