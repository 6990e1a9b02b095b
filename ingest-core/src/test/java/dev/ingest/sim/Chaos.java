package dev.ingest.sim;

import dev.ingest.sim.SimConsumer.Turn;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What happens to a group in production: members come, go, die and hang, the database too. */
final class Chaos {
  private static final int MOST_CONSUMERS = 5;

  private final World world;
  private final RandomGenerator random;

  Chaos(World world) {
    this.world = world;
    this.random = world.random();
  }

  void strike() {
    switch (random.nextInt(10)) {
      case 0 -> killOne();
      case 1 -> leaveOne();
      case 2, 3 -> join();
      case 4 -> freezeOne();
      case 5 -> throwOut(world.any(world.consumers()));
      case 6 -> world.broker().group().rebalance();
      case 7 -> world.breakDown(Duration.ofMillis(random.nextInt(20_000)));
      default -> restartDatabase();
    }
  }

  /** A consumer may be on the stack: then it dies when its call returns. */
  private void killOne() {
    if (world.alive().size() > 1) {
      SimConsumer consumer = world.any(world.alive());
      world.history().add(consumer.name(), "is killed");
      consumer.kill();
    }
  }

  private void leaveOne() {
    SimConsumer consumer = world.any(world.alive());
    if (world.alive().size() > 1 && consumer.canPoll()) {
      world.turns().run(consumer, Turn.POLL, consumer::leave);
    }
  }

  private void join() {
    if (world.alive().size() < MOST_CONSUMERS) {
      world.startConsumer();
    }
  }

  private void freezeOne() {
    SimConsumer consumer = world.any(world.alive());
    world.history().add(consumer.name(), "is frozen");
    consumer.freeze(Duration.ofMillis(random.nextInt(30_000)));
  }

  /** The thread on turn stands still, and the group may go on without it. */
  void stopOnTheSpot(SimConsumer consumer) {
    world.history().add(consumer.name(), "stands still");
    consumer.freeze(Duration.ofSeconds(60));
    if (random.nextBoolean()) {
      throwOut(consumer);
    }
  }

  private void throwOut(SimConsumer consumer) {
    String member = consumer.source().member();
    if (member != null && world.broker().group().knows(member)) {
      world.history().add("broker", "throws", consumer.name(), "out");
      world.broker().group().remove(member);
    }
  }

  private void restartDatabase() {
    int maxLocks = Math.max(1, world.scenario().maxLocks() + random.nextInt(9) - 4);
    world.history().add("database", "restarts, maxLocks=", maxLocks);
    world.database().restart(maxLocks);
  }
}
