package dev.ingest.sim;

import dev.ingest.sim.SimConsumer.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;

/**
 * Whose turn it is. One step is one turn of one thread, or something that happens outside the
 * consumers. While a thread waits in a call to a port, other steps happen in between, so that
 * threads meet at every port call. The promises are checked after every step.
 */
final class Turns {
  private static final int DEPTH = 5;
  private static final int LONGEST_STEP_MILLIS = 15;

  private record Running(SimConsumer consumer, Turn turn) {}

  private final World world;
  private final RandomGenerator random;
  private final Chaos chaos;
  private final ArrayDeque<Running> stack = new ArrayDeque<>();
  private long steps;

  Turns(World world) {
    this.world = world;
    this.random = world.random();
    this.chaos = new Chaos(world);
  }

  long steps() {
    return steps;
  }

  /** Anything that can happen next. */
  void step() {
    steps++;
    world.clock().advance(Duration.ofMillis(random.nextInt(LONGEST_STEP_MILLIS)));
    int dice = random.nextInt(1000);
    if (world.alive().isEmpty()) {
      world.startConsumer();
    }
    if (world.isFaulty() && dice < world.scenario().rates().chaos()) {
      chaos.strike();
    } else {
      ordinaryStep();
    }
    world.check();
  }

  private void ordinaryStep() {
    switch (random.nextInt(12)) {
      case 0 -> world.broker().serveOne();
      case 1 -> world.database().settleOne();
      case 2 -> world.produce(1 + random.nextInt(6));
      case 3 -> passTime();
      case 4, 5, 6, 7 -> poll(world.any(world.alive()));
      default -> write(world.any(world.alive()), world.isFaulty() ? 1 : 10);
    }
  }

  /** Goes on to when the next writer wakes up, or a bit. */
  private void passTime() {
    Instant now = world.clock().instant();
    Instant next =
        world.alive().stream()
            .map(SimConsumer::writesAt)
            .filter(now::isBefore)
            .min(Instant::compareTo)
            .orElse(Instant.MAX);
    boolean sleeping = next.isBefore(now.plusSeconds(60));
    world
        .clock()
        .advance(sleeping ? Duration.between(now, next) : Duration.ofMillis(random.nextInt(200)));
    for (String member : world.broker().group().expire()) {
      world.history().add("broker", "has not heard of", member, "for too long");
    }
  }

  private void poll(SimConsumer consumer) {
    if (consumer.canPoll()) {
      run(consumer, Turn.POLL, consumer::poll);
    }
  }

  /** Several turns at once where nothing breaks, only to get to the end. */
  private void write(SimConsumer consumer, int turns) {
    for (int i = 0; i < turns && consumer.canWrite(); i++) {
      run(consumer, Turn.WRITE, consumer::write);
    }
  }

  /** Takes a turn to its end, or as far as the process lives. */
  void run(SimConsumer consumer, Turn turn, Runnable work) {
    stack.push(new Running(consumer, turn));
    try {
      work.run();
    } catch (Crash crash) {
      consumer.kill();
      world.history().add(consumer.name(), "crashes in", turn);
    } catch (RuntimeException stopped) {
      throw new Violation(
          "stopped", consumer.name() + " stops for good in " + turn + ": " + stopped, stopped);
    } finally {
      stack.pop();
    }
  }

  /** Checks that the thread on turn is this one. */
  void require(SimConsumer consumer, Turn turn) {
    Running running = stack.peek();
    if (running == null || running.consumer() != consumer || running.turn() != turn) {
      throw new Violation("I5", consumer.name() + " makes a call that belongs to " + turn);
    }
  }

  /** Others move while the thread on turn waits. */
  void interlude() {
    Running waiting = stack.element();
    int chance = world.isFaulty() ? world.scenario().rates().interlude() : 0;
    if (stack.size() >= DEPTH || random.nextInt(1000) >= chance) {
      return;
    }
    boolean stopped = random.nextInt(8) == 0;
    if (stopped) {
      chaos.stopOnTheSpot(waiting.consumer());
    }
    int count = 1 + random.nextInt(stopped ? 20 : 6);
    for (int i = 0; i < count; i++) {
      step();
    }
    waiting.consumer().thaw();
  }

  /** One step while a polling thread waits for its own writer. */
  void whileDraining(SimConsumer consumer) {
    world.clock().advance(Duration.ofMillis(1 + random.nextInt(500)));
    if (stack.size() < DEPTH && random.nextInt(3) == 0) {
      step();
    } else {
      write(consumer, 1);
    }
  }
}
