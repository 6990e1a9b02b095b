package dev.ingest.postgres.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LockTreeTest {
  private static LockSession session(int pid, Integer... blockedBy) {
    return new LockSession(
        pid, null, null, null, null, null, null, null, null, null, List.of(), List.of(blockedBy));
  }

  private static LockTree tree(LockSession... sessions) {
    return LockTree.of(List.of(sessions));
  }

  /** Process ids with their depth, such as {@code 1 >2 >>3}. */
  private static String drawn(LockTree tree) {
    return String.join(" ", tree.roots().stream().flatMap(root -> lines(root, "")).toList());
  }

  private static Stream<String> lines(LockTree.Node node, String depth) {
    return Stream.concat(
        Stream.of(depth + node.session().pid() + (node.inCycle() ? "!" : "")),
        node.waiters().stream().flatMap(waiter -> lines(waiter, depth + ">")));
  }

  @Test
  void nobodyWaits() {
    assertThat(tree().roots()).isEmpty();
  }

  @Test
  void theRootStandsFirstAndEachWaiterBelowItsBlocker() {
    assertThat(drawn(tree(session(3, 2), session(2, 1), session(1), session(4, 1))))
        .isEqualTo("1 >2 >>3 >4");
  }

  @Test
  void aSessionThatWaitsForSeveralStandsOnce() {
    assertThat(drawn(tree(session(1), session(2), session(3, 1, 2, 2)))).isEqualTo("1 >3 2");
  }

  @Test
  void theRootWithMostWaitersComesFirst() {
    assertThat(drawn(tree(session(1), session(5, 1), session(2), session(6, 2), session(7, 6))))
        .isEqualTo("2 >6 >>7 1 >5");
  }

  @Test
  void aDeadlockIsShownAsACycle() {
    assertThat(drawn(tree(session(1, 2), session(2, 1), session(3, 2)))).isEqualTo("1! >2 >>3");
  }

  @Test
  void aBlockerThatIsGoneMakesItsWaiterARoot() {
    assertThat(drawn(tree(session(2, 99)))).isEqualTo("2");
  }

  @Test
  void preparedTransactionsAreARootToo() {
    assertThat(drawn(tree(session(0), session(7, 0)))).isEqualTo("0 >7");
  }

  @Test
  void waitersAreCountedAtAnyDepth() {
    LockTree tree = tree(session(1), session(2, 1), session(3, 2), session(4, 1));

    assertThat(tree.roots().get(0).waiting()).isEqualTo(3);
  }
}
