package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LockBudgetTest {
  private static final ServerLocks DEFAULTS = new ServerLocks(64, 100, 0);

  @Test
  void autoStaysOneBelowTheServersValue() {
    LockBudget budget = LockBudget.auto(64, 5);

    assertThat(budget.locks()).isEqualTo(63);
    assertThat(budget.advisoryLocks()).isEqualTo(58);
  }

  @Test
  void smallestServerStillWrites() {
    assertThat(LockBudget.auto(10, 5).advisoryLocks()).isEqualTo(4);
    assertThat(LockBudget.auto(10, 9).advisoryLocks()).isEqualTo(1);
    assertThat(LockBudget.auto(10, 40).advisoryLocks()).isEqualTo(1);
  }

  @Test
  void smallExplicitBudgetIsAcceptedWithAnyNumberOfWriters() {
    assertThat(LockBudget.explicit(63, 5, DEFAULTS, Integer.MAX_VALUE).advisoryLocks())
        .isEqualTo(58);
  }

  @Test
  void largeExplicitBudgetMayFillHalfTheTable() {
    assertThat(LockBudget.explicit(800, 5, DEFAULTS, 4).advisoryLocks()).isEqualTo(795);
    assertThatIllegalArgumentException().isThrownBy(() -> LockBudget.explicit(801, 5, DEFAULTS, 4));
  }

  @Test
  void refusalShowsTheArithmeticAndWhatWouldFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LockBudget.explicit(5000, 5, new ServerLocks(64, 90, 10), 4))
        .withMessage(
            "ingest.lock.budget=5000 does not fit the server's lock table: writers=4 would take 4 x"
                + " 5000 = 20000 locks, the table has max_locks_per_transaction x (max_connections"
                + " + max_prepared_transactions) = 64 x (90 + 10) = 6400, and half of it, 3200, is"
                + " left to others. Use at most 800, or auto, or raise max_locks_per_transaction to"
                + " 400 (needs a server restart).");
  }

  @Test
  void budgetWithoutRoomForAKeyIsRefused() {
    assertThat(LockBudget.explicit(6, 5, DEFAULTS, 1).advisoryLocks()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LockBudget.explicit(5, 5, DEFAULTS, 1))
        .withMessageContaining("ingest.lock.budget=5")
        .withMessageContaining("at least 6");
  }

  @Test
  void impossibleValuesAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> LockBudget.auto(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> LockBudget.auto(64, -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LockBudget.explicit(10, 5, DEFAULTS, 0))
        .withMessageContaining("writers=0");
    assertThatIllegalArgumentException().isThrownBy(() -> new ServerLocks(0, 100, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new ServerLocks(64, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new ServerLocks(64, 100, -1));
  }

  @Test
  void largestSettingsDoNotOverflow() {
    ServerLocks huge = new ServerLocks(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    ServerLocks small = new ServerLocks(10, 1, 0);

    assertThat(huge.poolEntries()).isEqualTo(9_223_372_028_264_841_218L);
    assertThat(LockBudget.explicit(Integer.MAX_VALUE, 0, huge, 2).locks())
        .isEqualTo(Integer.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LockBudget.explicit(Integer.MAX_VALUE, 0, small, Integer.MAX_VALUE))
        .withMessageContaining("= 4611686014132420609 locks");
  }

  @Property
  void autoLeavesRoomForTheReservedLocksWhereItCan(
      @ForAll @IntRange(min = 2, max = 100_000) int max,
      @ForAll @IntRange(max = 200_000) int reserved) {
    int advisory = LockBudget.auto(max, reserved).advisoryLocks();

    assertThat(advisory).isPositive();
    if (advisory > 1) {
      assertThat(advisory + reserved).isLessThan(max);
    }
  }

  /** Either nobody can run the pool dry, or all writers together leave half of it. */
  @Property
  void acceptedExactlyIfTheServerHasRoom(
      @ForAll("servers") ServerLocks server,
      @ForAll @IntRange(min = 1, max = 200) int writers,
      @ForAll @IntRange(min = 1, max = 200_000) int budget) {
    boolean belowServersValue = budget < server.maxLocksPerTransaction();
    boolean leavesHalf = 2L * writers * budget <= server.poolEntries();

    assertThat(isAccepted(budget, server, writers)).isEqualTo(belowServersValue || leavesHalf);
  }

  @Property
  void adviceInTheRefusalIsRightToTheLastLock(
      @ForAll("servers") ServerLocks server,
      @ForAll @IntRange(min = 1, max = 200) int writers,
      @ForAll @IntRange(min = 1, max = 2_000_000) int budget) {
    Assume.that(!isAccepted(budget, server, writers));
    int largest = Math.toIntExact(LockBudget.largest(server, writers));
    int raised = Math.toIntExact(LockBudget.maxLocksPerTransactionFor(budget, server, writers));

    assertThat(isAccepted(largest, server, writers)).isTrue();
    assertThat(isAccepted(largest + 1, server, writers)).isFalse();
    assertThat(isAccepted(budget, with(server, raised), writers)).isTrue();
    assertThat(isAccepted(budget, with(server, raised - 1), writers)).isFalse();
  }

  @Provide
  Arbitrary<ServerLocks> servers() {
    return Combinators.combine(
            Arbitraries.integers().between(10, 2000),
            Arbitraries.integers().between(1, 1000),
            Arbitraries.integers().between(0, 100))
        .as(ServerLocks::new);
  }

  private static ServerLocks with(ServerLocks server, int maxLocksPerTransaction) {
    return new ServerLocks(
        maxLocksPerTransaction, server.maxConnections(), server.maxPreparedTransactions());
  }

  private static boolean isAccepted(int budget, ServerLocks server, int writers) {
    try {
      return LockBudget.explicit(budget, 0, server, writers).locks() == budget;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}
