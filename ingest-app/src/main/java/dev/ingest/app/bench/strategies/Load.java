package dev.ingest.app.bench.strategies;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** Which keys the events of a run have. */
public enum Load {
  /** Every key is new. */
  UNIQUE("no duplicates", 1),
  /** Every fifth event repeats a key that came before, from any writer. */
  REPEATS("20 % duplicates", 1),
  /**
   * All writers draw from the same few keys, and those move on: small batches, and each key comes
   * about four times, mostly in batches that are written at the same moment.
   */
  HOT("hot set that slides", 10);

  private static final int REMEMBERED = 10_000;
  private static final int DRAWS = 4;

  private final String title;
  private final int smaller;

  Load(String title, int smaller) {
    this.title = title;
    this.smaller = smaller;
  }

  String title() {
    return title;
  }

  /** Events in a batch, given those of an ordinary one. */
  int batch(int ordinary) {
    return Math.max(1, ordinary / smaller);
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The same batches for the same seed, to be written in this order by whoever is free. */
  List<List<Event>> batches(int events, int ordinaryBatch, long seed) {
    int size = batch(ordinaryBatch);
    SplittableRandom random = new SplittableRandom(seed);
    List<String> remembered = new ArrayList<>();
    List<List<Event>> batches = new ArrayList<>();
    for (int first = 0; first < events; first += size) {
      List<Event> batch = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        String key = key(random, remembered, batches.size(), size);
        batch.add(Events.event(key, first + i, random));
      }
      batches.add(batch);
    }
    return batches;
  }

  private String key(SplittableRandom random, List<String> remembered, int number, int size) {
    return switch (this) {
      case UNIQUE -> uuid(random);
      case REPEATS -> repeatOrNew(random, remembered);
      // A window of four batches that moves by a quarter of a batch with each.
      case HOT -> {
        long at = (long) number * size / DRAWS + random.nextInt(DRAWS * size);
        yield uuid(new SplittableRandom(at));
      }
    };
  }

  private static String repeatOrNew(SplittableRandom random, List<String> remembered) {
    if (!remembered.isEmpty() && random.nextInt(5) == 0) {
      return remembered.get(random.nextInt(remembered.size()));
    }
    String key = uuid(random);
    if (remembered.size() < REMEMBERED) {
      remembered.add(key);
    } else {
      remembered.set(random.nextInt(REMEMBERED), key);
    }
    return key;
  }

  private static String uuid(SplittableRandom random) {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  /** Builds events and counts their keys. */
  static final class Events {
    private static final TopicPartition PARTITION = new TopicPartition("bench", 0);

    private Events() {}

    static Event event(String key, long offset, SplittableRandom random) {
      String value =
          "{\"id\":\"%s\",\"device\":\"sensor-%d\",\"celsius\":%d.%d,\"sequence\":%d,%s}"
              .formatted(
                  key,
                  10_000 + random.nextInt(20_000),
                  random.nextInt(45),
                  10 + random.nextInt(90),
                  random.nextLong(1L << 40),
                  "\"battery\":3.7,\"firmware\":\"4.2.17\",\"humidity\":41.5,\"status\":\"ok\"");
      return new Event(PARTITION, offset, 0, bytes(key), bytes(value), List.of());
    }

    static long distinctKeys(List<List<Event>> batches) {
      Set<String> keys = new HashSet<>();
      batches.forEach(
          batch ->
              batch.forEach(
                  each ->
                      keys.add(
                          new String(
                              Objects.requireNonNull(each.key()),
                              java.nio.charset.StandardCharsets.UTF_8))));
      return keys.size();
    }

    private static byte[] bytes(String text) {
      return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
  }
}
