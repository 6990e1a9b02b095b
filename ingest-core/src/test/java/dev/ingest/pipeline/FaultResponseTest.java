package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.IngestException;
import dev.ingest.plan.Backoff;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.LockBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultResponseTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Backoff QUICK = new Backoff(Duration.ofMillis(10), Duration.ofMillis(100));
  private static final Backoff SLOW = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8));

  private final List<String> told = new ArrayList<>();
  private final FaultResponse faults = new FaultResponse(QUICK, SLOW, new Random(1), new Told());

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"PROGRAM", "BAD_EVENT"})
  void whatNoRetryMendsStopsTheConsumer(FaultKind kind) {
    assertThatThrownBy(() -> faults.respond(fault(kind), NOW))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("nothing is lost")
        .hasMessageContaining("sqlstate=XXXXX");
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"TRANSIENT", "CONNECTION", "LOCK_TABLE_FULL", "ENVIRONMENT"})
  void whatARetryMendsIsTriedForEver(FaultKind kind) {
    for (int i = 0; i < 1000; i++) {
      assertThat(faults.respond(fault(kind), NOW)).isPositive().isLessThanOrEqualTo(SLOW.cap());
    }
    assertThat(told).filteredOn("paused"::equals).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"CONNECTION", "ENVIRONMENT"})
  void whatSomebodyElseMustMendPausesAtOnce(FaultKind kind) {
    faults.respond(fault(kind), NOW);

    assertThat(faults.isPaused()).isTrue();
    assertThat(told).containsExactly("paused", "retry 1");
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"TRANSIENT", "LOCK_TABLE_FULL"})
  void whatPassesByItselfPausesOnlyIfItLasts(FaultKind kind) {
    for (int i = 0; i < FaultResponse.QUICK_TRIES; i++) {
      assertThat(faults.respond(fault(kind), NOW)).isLessThanOrEqualTo(QUICK.cap());
      assertThat(faults.isPaused()).isFalse();
    }

    faults.respond(fault(kind), NOW);

    assertThat(faults.isPaused()).isTrue();
  }

  @Test
  void successEndsThePauseAndTellsHowLongItWas() {
    faults.respond(fault(FaultKind.CONNECTION), NOW);
    faults.respond(fault(FaultKind.CONNECTION), NOW.plusSeconds(5));

    faults.succeeded(NOW.plusSeconds(7));
    faults.succeeded(NOW.plusSeconds(8));

    assertThat(faults.isPaused()).isFalse();
    assertThat(told).containsExactly("paused", "retry 1", "retry 2", "resumed PT7S");
  }

  @Test
  void successStartsTheCountOfTriesAnew() {
    faults.respond(fault(FaultKind.TRANSIENT), NOW);
    faults.succeeded(NOW);
    faults.respond(fault(FaultKind.TRANSIENT), NOW);

    assertThat(told).containsExactly("retry 1", "retry 1");
  }

  @Test
  void planThatStaysStaleStopsTheConsumer() {
    for (int i = 0; i < FaultResponse.STALE_PLANS_IN_A_ROW; i++) {
      faults.respond(fault(FaultKind.STALE_PLAN), NOW);
    }

    assertThatThrownBy(() -> faults.respond(fault(FaultKind.STALE_PLAN), NOW))
        .isInstanceOf(IngestException.class);
  }

  /** As after an outage of the database, during which somebody altered the table. */
  @Test
  void stalePlanAfterOtherFaultsIsTheFirstOfItsRow() {
    for (int i = 0; i < 50; i++) {
      faults.respond(fault(FaultKind.CONNECTION), NOW);
    }

    assertThat(faults.respond(fault(FaultKind.STALE_PLAN), NOW)).isPositive();
  }

  @Property
  void stalePlansCountInARowOnly(@ForAll List<@IntRange(max = 4) Integer> kinds) {
    FaultResponse response = new FaultResponse(QUICK, SLOW, new Random(1), IngestEvents.NONE);
    List<FaultKind> retried =
        List.of(
            FaultKind.STALE_PLAN,
            FaultKind.TRANSIENT,
            FaultKind.CONNECTION,
            FaultKind.LOCK_TABLE_FULL,
            FaultKind.ENVIRONMENT);
    int row = 0;
    for (int index : kinds) {
      row = index == 0 ? row + 1 : 0;
      StoreFault fault = fault(retried.get(index));
      if (row > FaultResponse.STALE_PLANS_IN_A_ROW) {
        assertThatThrownBy(() -> response.respond(fault, NOW)).isInstanceOf(IngestException.class);
        return;
      }
      response.respond(fault, NOW);
    }
  }

  @Test
  void fullLockTableHalvesWhatTheNextTransactionTakes() {
    LockBudget budget = LockBudget.auto(101, 0);
    assertThat(faults.maxLocks(budget)).isEqualTo(100);

    faults.respond(fault(FaultKind.LOCK_TABLE_FULL), NOW);
    assertThat(faults.maxLocks(budget)).isEqualTo(50);
    faults.respond(fault(FaultKind.TRANSIENT), NOW);
    assertThat(faults.maxLocks(budget)).isEqualTo(50);
  }

  @Test
  void anotherServerBringsItsOwnBudget() {
    faults.maxLocks(LockBudget.auto(101, 0));
    faults.respond(fault(FaultKind.LOCK_TABLE_FULL), NOW);

    assertThat(faults.maxLocks(LockBudget.auto(31, 0))).isEqualTo(30);
  }

  private static StoreFault fault(FaultKind kind) {
    return new StoreFault(kind, "XXXXX", "a test", null);
  }

  private final class Told implements IngestEvents {
    @Override
    public void retrying(StoreFault fault, int attempt, Duration delay) {
      told.add("retry " + attempt);
    }

    @Override
    public void paused(StoreFault fault) {
      told.add("paused");
    }

    @Override
    public void resumed(Duration pausedFor) {
      told.add("resumed " + pausedFor);
    }
  }
}
