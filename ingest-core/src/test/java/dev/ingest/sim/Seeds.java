package dev.ingest.sim;

/**
 * Which runs to make: from {@code -Dsim.seed} on (1), as many as {@code -Dsim.seeds}. The same ones
 * each time, so that a change is judged by what it changes.
 */
record Seeds(long first, int count) {
  static Seeds ask(int unlessAsked) {
    return new Seeds(Long.getLong("sim.seed", 1), Integer.getInteger("sim.seeds", unlessAsked));
  }

  /** Runs all of them; the first that breaks a promise ends it. */
  void run() {
    long steps = 0;
    for (long seed = first; seed < first + count; seed++) {
      steps += Simulation.run(seed, Plant.NOTHING);
    }
    System.out.printf("simulation: seeds %d..%d, %d steps%n", first, first + count - 1, steps);
  }
}
