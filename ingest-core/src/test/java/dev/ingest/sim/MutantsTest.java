package dev.ingest.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds a bug that is there. */
class MutantsTest {
  private static final int SEEDS = 60;

  @ParameterizedTest
  @EnumSource(Mutants.class)
  void plantedBugIsFound(Mutants mutant) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        Simulation.run(seed, mutant);
      } catch (Violation found) {
        System.out.println(mutant + " found by seed " + seed + ": " + found.promise());
        assertThat(mutant.promises()).contains(found.promise());
        return;
      }
    }
    fail("%d seeds did not find %s", SEEDS, mutant);
  }
}
