package dev.ingest.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.InMemoryDatabase;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.Reading;
import dev.ingest.testkit.Collisions;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes events and knows what becomes of each in the end. */
final class Workload implements EventReader, InMemoryDatabase.Refusal {
  private static final byte[] GOOD = "good".getBytes(UTF_8);
  private static final byte[] BAD = "bad".getBytes(UTF_8);
  private static final byte[] SKIPPED = "skip".getBytes(UTF_8);
  private static final String MORTAL = "mortal-";
  private static final byte[] NOT_UTF8 = {(byte) 0xc3, 0x28};

  private final Scenario.Mix mix;
  private final RandomGenerator random;
  private boolean mended;
  private final EventReader keys = KeyReader.recordKey();

  Workload(Scenario.Mix mix, RandomGenerator random) {
    this.mix = mix;
    this.random = random;
  }

  Event next(TopicPartition partition, long offset) {
    int dice = random.nextInt(100);
    if (dice < mix.unreadablePercent()) {
      byte[] unreadable = random.nextBoolean() ? null : NOT_UTF8;
      return event(partition, offset, unreadable, GOOD);
    }
    String name = key(random.nextInt(mix.keys()), partition);
    byte[] key = name.getBytes(UTF_8);
    dice -= mix.unreadablePercent();
    if (dice < mix.skippedPercent()) {
      return event(partition, offset, key, SKIPPED);
    }
    if (isMortal(name) && random.nextInt(100) < mix.tombstonePercent()) {
      return event(partition, offset, key, null).deletion();
    }
    boolean bad = dice - mix.skippedPercent() < mix.badPercent();
    return event(partition, offset, key, bad ? BAD : GOOD);
  }

  private static Event event(
      TopicPartition partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {
    return new Event(partition, offset, 0, key, value, List.of());
  }

  /**
   * Some keys share their hash with another one, every ninth is refused whatever it brings. Where
   * there are tombstones, every third comes in one partition alone, in whose order it is deleted
   * and stored again.
   */
  private String key(int number, TopicPartition partition) {
    List<Collisions.Pair> pairs = Collisions.all();
    if (number % 3 == 0) {
      Collisions.Pair pair = pairs.get(number / 6 % pairs.size());
      return number % 2 == 0 ? pair.first() : pair.second();
    }
    if (number % 3 == 2 && mix.tombstonePercent() > 0) {
      return MORTAL + number + "-" + partition;
    }
    return number % 9 == 1 ? "refused-" + number : "key-" + number;
  }

  /** Whether the row of a key may be deleted. */
  static boolean isMortal(String key) {
    return key.startsWith(MORTAL);
  }

  static boolean isSkipped(Event event) {
    return event.value() == SKIPPED;
  }

  @Override
  public Reading read(Event event) {
    return isSkipped(event) ? new Reading.Skipped() : keys.read(event);
  }

  /** The key as text, null where the event has none. */
  @Nullable String keyOf(Event event) {
    return keys.read(event) instanceof Reading.Keyed keyed ? keyed.key().value() : null;
  }

  /** From now on nothing that has a key is refused. */
  void mend() {
    mended = true;
  }

  boolean isMended() {
    return mended;
  }

  @Override
  public @Nullable String of(Event event) {
    return mended ? null : refusal(event);
  }

  /** Why the event can't be stored until that is mended, null where it can. */
  @Nullable String refusal(Event event) {
    if (event.value() == BAD) {
      return "22P02";
    }
    String key = keyOf(event);
    return key != null && key.startsWith("refused-") ? "23514" : null;
  }
}
