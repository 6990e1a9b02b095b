package dev.ingest.sim;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.BatchLimits;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.ShareLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What one run looks like, drawn from its seed.
 *
 * @param consumers members of the group at the start
 * @param steps steps before the faults stop
 * @param maxPoll events of one poll at most
 * @param maxLocks advisory locks that one transaction may take at the start
 * @param unique whether a unique index is on the key; without one locks alone keep keys apart
 * @param eager whether a rebalance takes everything away first
 * @param deadLetters whether bad events go to a topic instead of beside the table
 * @param badShare above which share of events that can't be stored writing pauses
 * @param forgetful whether the server sometimes can't tell how a transaction ended
 */
record Scenario(
    int consumers,
    List<TopicPartition> partitions,
    int steps,
    BatchLimits limits,
    int maxPoll,
    LockScheme locks,
    int maxLocks,
    boolean unique,
    boolean eager,
    boolean deadLetters,
    ShareLimit badShare,
    boolean forgetful,
    Mix mix,
    Rates rates) {

  /**
   * What the events are like.
   *
   * @param events in all partitions together
   * @param keys different business keys
   * @param tombstonePercent of the events of keys that may be deleted
   */
  record Mix(
      int events,
      int keys,
      int badPercent,
      int unreadablePercent,
      int skippedPercent,
      int tombstonePercent) {}

  /**
   * How much goes wrong, in thousandths.
   *
   * @param interlude that others go on while one waits
   * @param fault of each statement
   * @param chaos of each step: crash, freeze, join, leave, outage
   * @param flake of each commit of offsets
   */
  record Rates(int interlude, int fault, int chaos, int flake) {}

  static Scenario draw(RandomGenerator random) {
    int maxEvents = 1 + random.nextInt(random.nextBoolean() ? 4 : 25);
    Mix mix = mix(random);
    LockScheme drawn = locks(random);
    boolean refused = drawn.equals(LockScheme.none()) && mix.tombstonePercent() > 0;
    LockScheme locks = refused ? LockScheme.perKey() : drawn;
    long maxBytes = random.nextInt(4) == 0 ? 300 + random.nextInt(1000) : 1 << 20;
    return new Scenario(
        2 + random.nextInt(3),
        partitions(random),
        100 + random.nextInt(300),
        new BatchLimits(
            maxEvents,
            maxBytes,
            Duration.ofMillis(random.nextInt(3) * 20L),
            maxEvents * (1 + random.nextInt(3)),
            maxBytes * (1 + random.nextInt(2))),
        1 + random.nextInt(20),
        locks,
        1 + random.nextInt(random.nextBoolean() ? 3 : 20),
        locks.equals(LockScheme.none()) || random.nextBoolean(),
        random.nextInt(4) == 0,
        random.nextInt(4) == 0,
        badShare(mix, random),
        random.nextInt(8) == 0,
        mix,
        rates(random));
  }

  private static List<TopicPartition> partitions(RandomGenerator random) {
    int count = 3 + random.nextInt(6);
    int topics = 1 + random.nextInt(2);
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      partitions.add(new TopicPartition("topic-" + i % topics, i / topics));
    }
    return List.copyOf(partitions);
  }

  private static LockScheme locks(RandomGenerator random) {
    return switch (random.nextInt(5)) {
      case 0 -> LockScheme.striped(1 + random.nextInt(5));
      case 1 -> LockScheme.none();
      default -> LockScheme.perKey();
    };
  }

  private static Mix mix(RandomGenerator random) {
    return new Mix(
        40 + random.nextInt(120),
        3 + random.nextInt(60),
        random.nextInt(3) * random.nextInt(25),
        random.nextInt(2) * random.nextInt(15),
        random.nextInt(2) * random.nextInt(15),
        random.nextInt(2) * random.nextInt(60));
  }

  /** Only where the cause of every refusal can be mended in the end. */
  private static ShareLimit badShare(Mix mix, RandomGenerator random) {
    return mix.unreadablePercent() > 0 || random.nextBoolean()
        ? ShareLimit.NONE
        : new ShareLimit(random.nextInt(6) / 10.0, Duration.ofSeconds(10), 1 + random.nextInt(10));
  }

  private static Rates rates(RandomGenerator random) {
    return new Rates(
        random.nextInt(300),
        random.nextInt(3) * random.nextInt(60),
        random.nextInt(3) * random.nextInt(20),
        random.nextInt(2) * random.nextInt(200));
  }
}
