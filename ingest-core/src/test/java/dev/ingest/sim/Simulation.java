package dev.ingest.sim;

import dev.ingest.event.Event;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One run from one seed: a group works on while things break, then nothing breaks any more and
 * everything has to arrive.
 */
final class Simulation {
  private static final int STEPS_TO_DRAIN = 20_000;

  private final World world;

  private Simulation(Scenario scenario, Plant plant, SplittableRandom random) {
    this.world = new World(scenario, plant, random);
  }

  /**
   * @return steps it took
   * @throws Violation with the seed, the scenario and what happened last
   */
  static long run(long seed, Plant plant) {
    SplittableRandom random = new SplittableRandom(seed);
    Scenario scenario = Scenario.draw(random);
    Simulation simulation = new Simulation(scenario, plant, random);
    try {
      return simulation.run();
    } catch (Violation violation) {
      throw violation.with(
          "seed="
              + seed
              + ", again with -Dsim.seeds=1 -Dsim.seed="
              + seed
              + "\n"
              + scenario
              + "\n"
              + simulation.world.history().tail());
    }
  }

  private long run() {
    for (int i = 0; i < world.scenario().consumers(); i++) {
      world.startConsumer();
    }
    Turns turns = world.turns();
    for (int i = 0; i < world.scenario().steps(); i++) {
      turns.step();
    }
    world.heal();
    long limit = turns.steps() + STEPS_TO_DRAIN;
    while (!isDrained()) {
      if (turns.steps() > limit) {
        throw new Violation("progress", "lag=" + world.broker().lag() + " and nothing breaks");
      }
      turns.step();
    }
    requireEverythingArrived();
    return turns.steps();
  }

  private boolean isDrained() {
    return world.isAllProduced()
        && world.broker().lag() == 0
        && world.alive().stream().allMatch(SimConsumer::hasNothingPending);
  }

  private void requireEverythingArrived() {
    for (Event event : world.broker().events()) {
      if (!world.isDone(event)) {
        throw new Violation("I1", event + " never arrived");
      }
      requireFirstOffsetWins(event);
    }
    DeletionOrder.require(world);
    for (Map.Entry<String, Event> row : world.database().rows().entrySet()) {
      if ((world.isBad(row.getValue()) && !world.workload().isMended())
          || !row.getKey().equals(world.workload().keyOf(row.getValue()))) {
        throw new Violation("I2", "a row holds " + row.getValue() + ", which is not its own");
      }
    }
  }

  /** Of the events of one key in one partition the first good one is the row. */
  private void requireFirstOffsetWins(Event event) {
    String key = world.workload().keyOf(event);
    Event row = key == null ? null : world.database().rows().get(key);
    if (row != null
        && !world.isBad(event)
        && !Workload.isSkipped(event)
        && !Workload.isMortal(key)
        && row.partition().equals(event.partition())
        && row.offset() > event.offset()) {
      throw new Violation("I2", row + " is stored, though " + event + " came before");
    }
  }
}
