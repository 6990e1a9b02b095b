package dev.ingest.app.send;

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
    StringBuilder json = new StringBuilder(224);
    json.append("{\"id\":\"").append(new UUID(random.nextLong(), random.nextLong()));
    json.append("\",\"device\":\"sensor-").append(10_000 + random.nextInt(20_000));
    json.append("\",\"celsius\":").append(random.nextInt(-20, 45)).append('.');
    json.append(10 + random.nextInt(90));
    json.append(",\"humidity\":").append(random.nextInt(5, 100)).append('.');
    json.append(random.nextInt(10));
    json.append(",\"battery\":3.").append(100 + random.nextInt(900));
    json.append(",\"sequence\":").append(random.nextLong(1L << 40));
    json.append(",\"firmware\":\"4.").append(random.nextInt(10)).append('.');
    json.append(random.nextInt(100)).append("\",\"status\":\"ok\"}");
    return json.toString();
  }
}
