package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.testkit.Collisions;
import dev.ingest.testkit.EventLine;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final KeyHasher HASHER = keys -> keys.stream().mapToInt(HashText::hash).toArray();

  private final EventLine orders = EventLine.on("orders", 0);
  private final EventLine returns = EventLine.on("returns", 0);

  @Test
  void repeatsShareAGroupInTheOrderTheyWerePolled() {
    List<Event> events = orders.keys("a", "b", "a", "a");

    Chunk chunk = batch(events).head();

    assertThat(chunk.groups()).hasSize(2);
    KeyGroup a = chunk.groups().stream().filter(g -> g.key().value().equals("a")).findAny().get();
    assertThat(a.first()).isSameAs(events.get(0));
    assertThat(a.events()).containsExactly(events.get(0), events.get(2), events.get(3));
  }

  @Test
  void groupsAscendBySignedHash() {
    Chunk chunk = batch(orders.keys("a", "b", "c", "d", "e", "f", "g")).head();

    assertThat(chunk.groups()).extracting(KeyGroup::hash).isSorted().anyMatch(hash -> hash < 0);
  }

  @Test
  void keysThatShareAHashAreTwoGroupsUnderOneLock() {
    Collisions.Pair pair = Collisions.all().get(0);

    Chunk chunk = batch(orders.keys(pair.second(), pair.first())).head();

    assertThat(chunk.groups()).hasSize(2);
    assertThat(chunk.locks().ids()).containsExactly(pair.hash());
  }

  @Test
  void eventThatIsNotHeldIsRefusedUnread() {
    Event reference = orders.event("a", "{}").reference();

    Batch batch = batch(List.of(reference));

    assertThat(batch.head().groups()).isEmpty();
    assertThat(batch.refused()).extracting(RejectedEvent::event).containsExactly(reference);
  }

  @Test
  void eachTopicIsAChunkOfItsOwn() {
    List<Event> events = new ArrayList<>(orders.keys("a", "b"));
    events.addAll(returns.keys("a"));
    events.addAll(orders.keys("c"));

    Batch batch = batch(events);

    assertThat(batch.size()).isEqualTo(2);
    assertThat(batch.head().topic()).isEqualTo("orders");
    assertThat(batch.head().storable()).isEqualTo(3);
    batch.advance();
    assertThat(batch.head().topic()).isEqualTo("returns");
    batch.advance();
    assertThat(batch.hasNext()).isFalse();
    assertThatThrownBy(batch::head).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(batch::advance).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void headIsCutToWhatTheLocksAllow() {
    Batch batch = batch(orders.keys("a", "b", "c", "d", "e"));

    assertThat(batch.head(2).groups()).hasSize(2);
    assertThat(batch.head(1).groups()).hasSize(1);
    batch.advance();
    assertThat(batch.head(100).groups()).hasSize(1);
    batch.advance();
    assertThat(batch.head(100).groups()).hasSize(3);
    batch.advance();
    assertThat(batch.hasNext()).isFalse();
  }

  @Test
  void eventsWithoutAKeyAreRefusedWithTheirTopic() {
    Event noKey = orders.withoutKey();
    List<Event> events = new ArrayList<>(returns.keys("a"));
    events.add(noKey);

    Batch batch = batch(events);

    assertThat(batch.refused()).isEmpty();
    batch.advance();
    assertThat(batch.refused()).extracting(RejectedEvent::event).containsExactly(noKey);
    assertThat(batch.head().groups()).isEmpty();
    batch.decide(batch.head().parking(batch.refused()));
    assertThat(batch.refused()).isEmpty();
    assertThat(batch.head().parked()).hasSize(1);
  }

  @Test
  void whatIsDecidedStaysDecidedWhenTheHeadIsCutAgain() {
    Batch batch = batch(orders.keys("a", "b", "c", "d"));
    RejectedEvent bad =
        RejectedEvent.unreadable(batch.head().groups().get(0).first(), "as the server says");
    batch.refuse(List.of(bad));
    batch.decide(batch.head().parking(batch.refused()));

    Chunk first = batch.head(1);
    batch.advance();

    assertThat(first.parked()).containsExactly(bad);
    assertThat(first.groups()).hasSize(1);
    assertThat(batch.head().parked()).isEmpty();
    assertThat(batch.refused()).isEmpty();
    assertThat(batch.head().groups()).hasSize(2);
  }

  @Test
  void refusedEventsStayWithTheFirstPieceUntilTheyAreDecided() {
    Batch batch = batch(orders.keys("a", "b", "c"));
    RejectedEvent bad = RejectedEvent.unreadable(batch.head().groups().get(0).first(), "bad");
    batch.refuse(List.of(bad));

    batch.head(1);

    assertThat(batch.refused()).containsExactly(bad);
    batch.advance();
    assertThat(batch.refused()).isEmpty();
  }

  @Test
  void skippedEventsAreCountedByTopicAndInNoChunk() {
    Event skipped = orders.event("skip", "{}");
    List<Event> events = new ArrayList<>(List.of(skipped, orders.event("skip", "{}")));
    events.addAll(returns.keys("a"));
    EventReader reader =
        event ->
            event.partition().topic().equals("orders")
                ? new Reading.Skipped()
                : KeyReader.recordKey().read(event);

    Batch batch = Batch.of(events, LockScheme.perKey(), reader, HASHER);

    assertThat(batch.skipped()).containsExactly(new Batch.Count("default", "orders", 2));
    assertThat(batch.size()).isOne();
    assertThat(batch.head().topic()).isEqualTo("returns");
  }

  @Test
  void nothingMakesAnEmptyBatch() {
    assertThat(batch(List.of()).hasNext()).isFalse();
  }

  @Test
  void failureToHashPassesThrough() {
    KeyHasher away =
        keys -> {
          throw new IllegalStateException("away");
        };

    assertThatThrownBy(
            () -> Batch.of(orders.keys("a"), LockScheme.perKey(), KeyReader.recordKey(), away))
        .hasMessage("away");
  }

  @Test
  void aDeletionIsRefusedWhereTheReaderSaysThatItDeletesNone() {
    List<Event> events = List.of(orders.event("a", "{}"), orders.event(new byte[] {'a'}, null));
    EventReader deleting = Tombstones.deleting(KeyReader.recordKey());
    EventReader silent = deleting::read;

    assertThatThrownBy(() -> Batch.of(events, LockScheme.perKey(), silent, HASHER))
        .isInstanceOfSatisfying(
            IngestException.class,
            refused -> assertThat(refused.code()).isEqualTo(IngestException.Code.CONFIG_INVALID))
        .hasMessageContaining("route=default topic=orders partition=0 offset=")
        .hasMessageContaining("Let its deletes() be true");
    assertThat(Batch.of(events, LockScheme.perKey(), deleting, HASHER).head().deleting()).isOne();
  }

  private static Batch batch(List<Event> events) {
    return Batch.of(events, LockScheme.perKey(), KeyReader.recordKey(), HASHER);
  }
}
