package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.Event;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.FaultInjection.Injected;
import dev.ingest.pipeline.FaultInjection.LostReply;
import dev.ingest.pipeline.FaultInjection.Point;
import dev.ingest.pipeline.InMemoryDatabase.Transaction;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract, and that each fault can be injected. */
class InMemoryEventStoreTest extends TombstoneContract {
  private final InMemoryDatabase database = new InMemoryDatabase(63, new JsonLikeValues());
  private final ScriptedFaults faults = new ScriptedFaults();
  private final EventStore store = new InMemoryEventStore(database, "test", faults);

  @Override
  protected EventStore store() {
    return store;
  }

  @Override
  protected EventStore deletingStore() {
    return store;
  }

  @Override
  protected long rows() {
    return database.rows().size();
  }

  @Override
  protected long storedOffset(String key) {
    return database.rows().get(key).offset();
  }

  @Override
  protected int attempts(Event event) {
    InMemoryDatabase.Parked parked = database.parked().get(InMemoryDatabase.Position.of(event));
    return parked == null ? 0 : parked.attempts();
  }

  @Override
  protected String transaction(TransactionStatus status) {
    Transaction transaction = database.begin("other");
    if (status != TransactionStatus.IN_PROGRESS) {
      database.abandon(transaction, status);
      database.settle(transaction);
    }
    return transaction.id();
  }

  @Override
  protected String futureTransaction() {
    return "1000000";
  }

  @ParameterizedTest
  @EnumSource(
      value = Point.class,
      names = {"CONNECT", "LOCK", "INSERT", "COMMIT"})
  void anySqlStateCanBeInjectedAndLeavesNothing(Point point) {
    Chunk chunk = chunk("a", "b");
    faults.then(point, "53100");

    assertThatThrownBy(() -> store.write(chunk))
        .isInstanceOfSatisfying(
            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(FaultKind.ENVIRONMENT));

    assertThat(database.rows()).isEmpty();
    assertThat(store.write(chunk)).isInstanceOf(WriteOutcome.Applied.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = TransactionStatus.class,
      names = {"COMMITTED", "ABORTED"})
  void replyToCommitCanBeLostEitherWay(TransactionStatus fate) {
    faults.then(Point.COMMIT, new LostReply(fate, false));

    WriteOutcome.Unknown lost = (WriteOutcome.Unknown) store.write(chunk("a", "b"));

    assertThat(lost.ifCommitted().inserted()).isEqualTo(2);
    assertThat(store.statusOf(lost.transactionId())).isEqualTo(fate);
    assertThat(database.rows()).hasSize(fate == TransactionStatus.COMMITTED ? 2 : 0);
  }

  @Test
  void transactionWithoutItsClientGoesOnHoldingItsLocksUntilItIsSettled() {
    faults.then(Point.COMMIT, new LostReply(TransactionStatus.COMMITTED, true));
    WriteOutcome.Unknown lost = (WriteOutcome.Unknown) store.write(chunk("a"));

    assertThat(store.statusOf(lost.transactionId())).isEqualTo(TransactionStatus.IN_PROGRESS);
    assertThat(database.rows()).isEmpty();
    assertThatThrownBy(() -> store.write(chunk("a")))
        .isInstanceOfSatisfying(
            StoreFault.class, fault -> assertThat(fault.sqlState()).isEqualTo("55P03"));
    assertThat(database.settleOne()).isTrue();
    assertThat(database.rows()).containsOnlyKeys("a");
    assertThat(database.settleOne()).isFalse();
  }

  @Test
  void crashBeforeCommitLeavesATransactionThatComesToNothing() {
    EventStore crashing = crashingAt(Point.COMMIT);
    Chunk chunk = chunk("a");

    assertThatThrownBy(() -> crashing.write(chunk))
        .isInstanceOf(UnsupportedOperationException.class);
    database.settleOne();

    assertThat(database.rows()).isEmpty();
    assertThat(database.insertedBy("test")).isZero();
  }

  @Test
  void crashAfterCommitKeepsTheRows() {
    EventStore crashing = crashingAt(Point.COMMITTED);
    Chunk chunk = chunk("a");

    assertThatThrownBy(() -> crashing.write(chunk))
        .isInstanceOf(UnsupportedOperationException.class);

    assertThat(database.rows()).containsOnlyKeys("a");
    assertThat(database.settleOne()).isFalse();
  }

  @Test
  void restartCutsEverySessionAndMayLowerTheBudget() {
    store.write(chunk("a"));
    database.restart(7);

    assertThatThrownBy(() -> store.write(chunk("b")))
        .isInstanceOfSatisfying(
            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(FaultKind.CONNECTION));
    assertThat(store.budget().advisoryLocks()).isEqualTo(7);
    assertThat(store.write(chunk("b"))).isInstanceOf(WriteOutcome.Applied.class);
  }

  private EventStore crashingAt(Point crash) {
    return new InMemoryEventStore(
        database,
        "test",
        new FaultInjection() {
          @Override
          public @Nullable Injected at(Point point) {
            if (point == crash) {
              throw new UnsupportedOperationException("crash");
            }
            return null;
          }
        });
  }

  private Chunk chunk(String... keys) {
    return Batch.of(
            EventLine.on("t", 0).keys(keys), LockScheme.perKey(), KeyReader.recordKey(), store)
        .head();
  }
}
