package dev.ingest.sim;

import org.junit.jupiter.api.Test;

/** The promises I1 to I6 and I8, held on the first hundred seeds. */
class SimulationTest {
  @Test
  void promisesHoldWhateverBreaks() {
    Seeds.ask(100).run();
  }
}
