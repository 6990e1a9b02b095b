package dev.ingest.plan;

import static dev.ingest.plan.BudgetGovernor.QUIET;
import static dev.ingest.plan.BudgetGovernor.STEPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BudgetGovernorTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final BudgetGovernor governor = new BudgetGovernor(64);

  @Test
  void startsWithTheWholeBudget() {
    assertThat(governor.current()).isEqualTo(64);
  }

  @Test
  void eachExhaustionHalvesButLeavesOneLock() {
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      governor.exhausted(START);
      seen.add(governor.current());
    }

    assertThat(seen).containsExactly(32, 16, 8, 4, 2, 1, 1, 1);
  }

  @Test
  void growsOneStepAQuietInterval() {
    governor.exhausted(START);

    governor.succeeded(START.plus(QUIET).minusNanos(1));
    assertThat(governor.current()).isEqualTo(32);
    governor.succeeded(START.plus(QUIET));
    assertThat(governor.current()).isEqualTo(36);
    governor.succeeded(START.plus(QUIET).plusMillis(1));
    assertThat(governor.current()).isEqualTo(36);
    governor.succeeded(START.plus(QUIET.multipliedBy(2)));
    assertThat(governor.current()).isEqualTo(40);
  }

  @Test
  void exhaustionStartsTheQuietIntervalAnew() {
    governor.exhausted(START);
    governor.exhausted(START.plus(QUIET).minusMillis(1));

    governor.succeeded(START.plus(QUIET));

    assertThat(governor.current()).isEqualTo(16);
  }

  @Test
  void idleHoursEarnOneStepOnly() {
    governor.exhausted(START);

    governor.succeeded(START.plus(QUIET.multipliedBy(1000)));

    assertThat(governor.current()).isEqualTo(36);
  }

  @Test
  void clockThatWentBackDelaysGrowthByOneIntervalOnly() {
    governor.exhausted(START.plusSeconds(86_400));

    governor.succeeded(START);
    assertThat(governor.current()).isEqualTo(32);
    governor.succeeded(START.plus(QUIET));
    assertThat(governor.current()).isEqualTo(36);
  }

  @Test
  void emptyBudgetIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BudgetGovernor(0))
        .withMessageContaining("budget=0");
  }

  @Property
  void staysWithinTheBudgetAndGrowsByOneStepAtMost(
      @ForAll @IntRange(min = 1) int budget,
      @ForAll @Size(max = 60) List<@IntRange(min = -20_000, max = 20_000) Integer> millis) {
    BudgetGovernor governor = new BudgetGovernor(budget);
    Instant now = START;
    for (int step : millis) {
      int before = governor.current();
      now = now.plusMillis(step);
      if (step % 3 == 0) {
        governor.exhausted(now);
        assertThat(governor.current()).isEqualTo(Math.max(1, before / 2));
      } else {
        governor.succeeded(now);
        assertThat(governor.current()).isBetween(before, budget);
        assertThat((long) governor.current() - before).isLessThanOrEqualTo(budget / STEPS + 1L);
      }
    }
  }

  @Property
  void wholeBudgetIsBackAfterAsManyQuietIntervalsAsThereAreSteps(
      @ForAll @IntRange(min = 1) int budget) {
    BudgetGovernor governor = new BudgetGovernor(budget);
    for (int i = 0; i < Integer.SIZE; i++) {
      governor.exhausted(START);
    }
    assertThat(governor.current()).isEqualTo(1);

    for (int i = 1; i <= STEPS; i++) {
      governor.succeeded(START.plus(QUIET.multipliedBy(i)));
    }

    assertThat(governor.current()).isEqualTo(budget);
  }
}
