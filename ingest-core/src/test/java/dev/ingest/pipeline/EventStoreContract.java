package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.pipeline.WriteOutcome.Rejected;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.HashText;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.Collisions;
import dev.ingest.testkit.EventLine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store promises, shown on the real one and on the one that the simulation uses. */
public abstract class EventStoreContract {
  final EventLine orders = EventLine.on("orders", 3).from(1200);

  /** A store on empty tables; the same one all through a test. */
  protected abstract EventStore store();

  protected abstract long rows();

  /** Where the row of a key comes from. */
  protected abstract long storedOffset(String key);

  /** How often an event was parked, 0 where it is not. */
  protected abstract int attempts(Event event);

  /** Id of a transaction that stands or has ended like this. */
  protected abstract String transaction(TransactionStatus status);

  /** A transaction id that the server has not given out so far. */
  protected abstract String futureTransaction();

  /** Whether it keeps keys apart without locks too. */
  protected boolean storesWithoutLocks() {
    return true;
  }

  @Test
  void chunkIsInserted() {
    assertCounts(write(orders.keys("a", "b", "c")), 3, 0, 0);

    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void redeliveredChunkAddsNoRow() {
    Chunk chunk = chunk(orders.keys("a", "b", "c"));

    assertCounts(store().write(chunk), 3, 0, 0);
    assertCounts(store().write(chunk), 0, 3, 0);

    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void overlapIsCountedExactly() {
    write(orders.keys("a", "b", "c"));

    assertCounts(write(orders.keys("c", "d", "b", "e")), 2, 2, 0);

    assertThat(rows()).isEqualTo(5);
    assertThat(storedOffset("b")).isEqualTo(1201);
  }

  @Test
  void repeatsInAChunkAreDuplicatesAndTheFirstWins() {
    assertCounts(write(orders.keys("a", "b", "a", "a", "b")), 2, 3, 0);

    assertThat(rows()).isEqualTo(2);
    assertThat(storedOffset("a")).isEqualTo(1200);
    assertThat(storedOffset("b")).isEqualTo(1201);
  }

  @Test
  void keysThatShareAHashBothLand() {
    for (Collisions.Pair pair : Collisions.all()) {
      Chunk chunk = chunk(orders.keys(pair.first(), pair.second(), pair.first()));

      assertThat(chunk.locks().size()).isOne();
      assertCounts(store().write(chunk), 2, 1, 0);
    }
    assertThat(rows()).isEqualTo(2L * Collisions.all().size());
  }

  @Test
  void everyLockSchemeStoresTheSame() {
    LockScheme first = storesWithoutLocks() ? LockScheme.none() : LockScheme.striped(1);
    assertCounts(store().write(chunk(first, orders.keys("a", "b", "a"))), 2, 1, 0);
    assertCounts(store().write(chunk(LockScheme.striped(2), orders.keys("b", "c"))), 1, 1, 0);
    assertCounts(store().write(chunk(LockScheme.perKey(), orders.keys("c", "d"))), 1, 1, 0);

    assertThat(rows()).isEqualTo(4);
  }

  @Test
  void rejectedEventsAreExactlyTheBadOnesAndNothingIsWritten() {
    List<Event> bad = List.of(orders.bad("p"), orders.bad("q"), orders.bad("r"));
    List<Event> events = new ArrayList<>(orders.keys(numbered(100)));
    events.add(0, bad.get(0));
    events.add(50, bad.get(1));
    events.add(bad.get(2));

    List<RejectedEvent> rejected = rejectedOf(write(events));

    assertThat(rejected).extracting(RejectedEvent::event).containsExactlyInAnyOrderElementsOf(bad);
    assertThat(rejected).extracting(RejectedEvent::sqlState).containsOnly("22P02");
    assertThat(rows()).isZero();
    bad.forEach(event -> assertThat(attempts(event)).isZero());
  }

  @Test
  void everyEventOfAChunkMayBeBad() {
    List<Event> events = List.of(orders.bad("a"), orders.bad("b"));

    assertThat(rejectedOf(write(events))).hasSize(2);
  }

  @Test
  void parkedEventsLieBesideTheRowsOfTheSameTransaction() {
    Event bad = orders.bad("bad");
    Chunk chunk = chunk(List.of(orders.event("a", "{}"), bad, orders.event("c", "{}")));
    Chunk parking = chunk.parking(rejectedOf(store().write(chunk)));

    assertCounts(store().write(parking), 2, 0, 1);

    assertThat(rows()).isEqualTo(2);
    assertThat(attempts(bad)).isOne();
  }

  @Test
  void whenTheFirstOfAKeyIsParkedTheNextTakesItsPlace() {
    Event bad = orders.bad("a");
    Chunk chunk = chunk(List.of(bad, orders.event("a", "{}"), orders.event("a", "{}")));
    Chunk parking = chunk.parking(rejectedOf(store().write(chunk)));

    assertCounts(store().write(parking), 1, 1, 1);

    assertThat(storedOffset("a")).isEqualTo(1201);
    assertThat(attempts(bad)).isOne();
  }

  @Test
  void parkedTwiceIsOneRowAndTwoAttempts() {
    Event bad = orders.bad("a");
    Chunk chunk = chunk(List.of(bad));
    Chunk parking = chunk.parking(rejectedOf(store().write(chunk)));

    assertCounts(store().write(parking), 0, 0, 1);
    assertCounts(store().write(parking), 0, 0, 1);

    assertThat(attempts(bad)).isEqualTo(2);
  }

  @Test
  void eventsWithoutAKeyAreParkedAsTheyAre() {
    Event noKey = orders.withoutKey();
    Event broken = orders.event(new byte[] {(byte) 0xc3, 0x28}, null);
    Event empty = orders.event(new byte[0], new byte[0]);
    Batch batch = batch(LockScheme.perKey(), List.of(noKey, broken, empty));

    Chunk chunk = batch.head().parking(batch.refused());

    assertCounts(store().write(chunk), 0, 0, 3);
    assertThat(List.of(attempts(noKey), attempts(broken), attempts(empty))).containsOnly(1);
  }

  @Test
  void nothingIsTooOddToBeParked() {
    byte[] odd = {0, (byte) 0xff, '\'', '\\', 10, 0};
    Event event =
        new Event(
            new TopicPartition("orders", 0),
            7,
            -1,
            odd,
            odd,
            List.of(new Header("h\0\ud83d", odd), new Header("", null), new Header("h\0", odd)));
    RejectedEvent rejected = RejectedEvent.unreadable(event, "the record key is not valid UTF-8");

    Chunk chunk = chunk(List.of()).parking(List.of(rejected));

    assertCounts(store().write(chunk), 0, 0, 1);
    assertThat(attempts(event)).isOne();
  }

  @Test
  void emptyChunkIsApplied() {
    assertCounts(store().write(chunk(List.of())), 0, 0, 0);

    assertThat(rows()).isZero();
  }

  @Test
  void largeChunkIsStoredWhole() {
    List<Event> events = orders.keys(numbered(5000));
    Chunk chunk = chunk(LockScheme.striped(16), events);

    assertCounts(store().write(chunk), 5000, 0, 0);
    assertThat(rows()).isEqualTo(5000);
  }

  @Test
  void sameKeyInTwoTopicsIsOneRow() {
    assertCounts(write(orders.keys("a", "b")), 2, 0, 0);
    assertCounts(write(EventLine.on("returns", 0).keys("b", "c")), 1, 1, 0);

    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void badEventsDoNotSpoilTheNextChunk() {
    rejectedOf(write(List.of(orders.bad("a"))));

    assertCounts(write(orders.keys("a", "b")), 2, 0, 0);
  }

  @Test
  void hashesAreThoseOfHashtext() {
    List<String> keys = List.of("", "a", "order-333215", "\u00fc", "\ud83d\ude00");

    assertThat(store().hash(keys))
        .containsExactly(keys.stream().mapToInt(HashText::hash).toArray());
    assertThat(store().hash(List.of())).isEmpty();
  }

  @Test
  void budgetLeavesRoomForAtLeastOneLock() {
    assertThat(store().budget().advisoryLocks()).isPositive();
  }

  @Test
  void statusTellsHowATransactionEnded() {
    assertThat(store().statusOf(transaction(TransactionStatus.COMMITTED)))
        .isEqualTo(TransactionStatus.COMMITTED);
    assertThat(store().statusOf(transaction(TransactionStatus.ABORTED)))
        .isEqualTo(TransactionStatus.ABORTED);
    assertThat(store().statusOf(transaction(TransactionStatus.IN_PROGRESS)))
        .isEqualTo(TransactionStatus.IN_PROGRESS);
  }

  /** After a failover the new server may not have come as far as the lost one. */
  @Test
  void transactionThatTheServerHasNotReachedIsUnknown() {
    assertThat(store().statusOf(futureTransaction())).isEqualTo(TransactionStatus.UNKNOWN);
  }

  WriteOutcome write(List<Event> events) {
    return store().write(chunk(events));
  }

  Chunk chunk(List<Event> events) {
    return chunk(LockScheme.perKey(), events);
  }

  Chunk chunk(LockScheme scheme, List<Event> events) {
    return events.isEmpty()
        ? Chunk.of("orders", scheme, List.of(), List.of())
        : batch(scheme, events).head();
  }

  private Batch batch(LockScheme scheme, List<Event> events) {
    EventReader reader = EventReader.telling(true, KeyReader.recordKey());
    return Batch.of(events, scheme, reader, store());
  }

  static String[] numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "key-" + i).toArray(String[]::new);
  }

  static void assertCounts(WriteOutcome outcome, int inserted, int duplicates, int parked) {
    assertCounts(outcome, inserted, duplicates, parked, 0);
  }

  static void assertCounts(
      WriteOutcome outcome, int inserted, int duplicates, int parked, int deleted) {
    assertThat(outcome).isInstanceOf(Applied.class);
    Applied told = (Applied) outcome;
    assertThat(List.of(told.inserted(), told.duplicates(), told.parked(), told.deleted()))
        .as("inserted, duplicates, parked, deleted")
        .containsExactly(inserted, duplicates, parked, deleted);
  }

  static List<RejectedEvent> rejectedOf(WriteOutcome outcome) {
    assertThat(outcome).isInstanceOf(Rejected.class);
    return ((Rejected) outcome).events();
  }
}
