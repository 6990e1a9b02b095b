package dev.ingest.sim;

import org.junit.jupiter.api.Test;

/**
 * The promises I1, I2, I3, I4, I5, I6 and I8, held on a thousand seeds. More on request, from any
 * seed on: {@code mvn verify -Dit.test=SimulationIT -Dsim.seeds=100000 -Dsim.seed=5000}.
 */
class SimulationIT {
  @Test
  void promisesHoldWhateverBreaks() {
    Seeds.ask(1000).run();
  }
}
