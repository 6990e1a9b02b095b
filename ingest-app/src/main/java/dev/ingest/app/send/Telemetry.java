package dev.ingest.app.send;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Made-up readings of sensors, about 200 bytes each, with a UUID as business key at {@code /id}.
 */
public final class Telemetry {
  private Telemetry() {}

  /** The same readings for the same seed. */
  public static Stream<String> readings(long count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return Stream.generate(() -> reading(random)).limit(count);
  }

  private static String reading(SplittableRandom random) {
    UUID id = new UUID(random.nextLong(), random.nextLong());
    return String.format(
        Locale.ROOT,
        "{\"id\":\"%s\",\"device\":\"sensor-%05d\",\"celsius\":%.2f,\"humidity\":%.1f,"
            + "\"battery\":%.3f,\"sequence\":%d,\"firmware\":\"4.%d.%d\",\"status\":\"ok\"}",
        id,
        random.nextInt(20_000),
        random.nextDouble(-20, 45),
        random.nextDouble(5, 100),
        random.nextDouble(3, 4.2),
        random.nextLong(1L << 40),
        random.nextInt(10),
        random.nextInt(100));
  }
}
