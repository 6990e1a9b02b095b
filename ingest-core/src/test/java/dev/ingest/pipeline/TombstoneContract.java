package dev.ingest.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.Collisions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every store promises, and what it does with orders to delete a row. */
public abstract class TombstoneContract extends EventStoreContract {

  /**
   * A store on the same tables, on which tombstones delete rows; the same one all through a test.
   */
  protected abstract EventStore deletingStore();

  @Test
  void tombstoneThatOrdersNothingIsStored() {
    assertCounts(write(List.of(orders.event("gone".getBytes(UTF_8), null))), 1, 0, 0);
  }

  @Test
  void tombstoneDeletesTheRowOfItsKey() {
    write(orders.keys("a", "b", "c"));

    assertDeleting("-b", 0, 0, 1);

    assertThat(rows()).isEqualTo(2);
    assertThat(storedOffset("c")).isEqualTo(1202);
  }

  @Test
  void tombstoneWithoutARowChangesNothing() {
    assertDeleting("-a -a", 0, 2, 0);

    assertThat(rows()).isZero();
  }

  /** Whether the key had a row before, and what is in the chunk: the last event decides. */
  @ParameterizedTest
  @CsvSource({
    "false, +a -a,           0, 2, 0, -1",
    "false, -a +a,           1, 1, 0, 1301",
    "false, +a -a +a,        1, 2, 0, 1302",
    "false, +a -a +a -a,     0, 4, 0, -1",
    "false, +a +a -a +a +a,  1, 4, 0, 1303",
    "true,  +a,              0, 1, 0, 1200",
    "true,  +a -a,           0, 1, 1, -1",
    "true,  -a +a,           1, 0, 1, 1301",
    "true,  +a -a +a,        1, 1, 1, 1302",
    "true,  -a -a +a +a -a,  0, 4, 1, -1",
  })
  void orderOfAKeyIsKeptInsideAChunk(
      boolean before, String events, int inserted, int duplicates, int deleted, long row) {
    if (before) {
      write(orders.keys("a"));
    }
    orders.from(1300);

    assertDeleting(events, inserted, duplicates, deleted);

    assertThat(rows()).isEqualTo(row < 0 ? 0 : 1);
    if (row >= 0) {
      assertThat(storedOffset("a")).isEqualTo(row);
    }
  }

  /** What is read again ends as it ended: rows that went and came back do so again. */
  @Test
  void redeliveredDeletionsEndInTheSameRows() {
    write(orders.keys("a", "b", "c"));
    Chunk chunk = deletingChunk("-a -b +b +d -c +e -e");

    assertCounts(deletingStore().write(chunk), 2, 2, 0, 3);
    long row = storedOffset("b");
    assertCounts(deletingStore().write(chunk), 1, 5, 0, 1);

    assertThat(rows()).isEqualTo(2);
    assertThat(storedOffset("b")).isEqualTo(row);
    assertThat(storedOffset("d")).isEqualTo(row + 1);
  }

  @Test
  void insertThatIsReadAgainBringsItsRowBackUntilItsTombstoneIs() {
    Chunk inserts = chunk(orders.keys("a"));
    Chunk deletes = deletingChunk("-a");
    deletingStore().write(inserts);
    deletingStore().write(deletes);

    assertCounts(deletingStore().write(inserts), 1, 0, 0);
    assertThat(rows()).isOne();
    assertCounts(deletingStore().write(deletes), 0, 0, 0, 1);
    assertThat(rows()).isZero();
  }

  @Test
  void keysThatShareAHashAreDeletedApart() {
    Collisions.Pair pair = Collisions.all().get(0);
    write(orders.keys(pair.first(), pair.second()));

    assertDeleting("-" + pair.second(), 0, 0, 1);

    assertThat(rows()).isOne();
    assertThat(storedOffset(pair.first())).isEqualTo(1200);
  }

  @Test
  void rowThatTheServerRefusesIsParkedAndItsTombstoneStands() {
    write(orders.keys("a", "b"));
    Event bad = orders.bad("a");
    List<Event> events =
        List.of(tombstone("a"), bad, tombstone("b"), orders.event("b", "{}"), orders.bad("c"));
    Chunk chunk = chunk(events);
    Chunk parking = chunk.parking(rejectedOf(deletingStore().write(chunk)));

    assertCounts(deletingStore().write(parking), 1, 0, 2, 2);

    assertThat(rows()).isOne();
    assertThat(attempts(bad)).isOne();
  }

  /** What a tombstone overtakes is looked at no more than a repeat is. */
  @Test
  void badEventBeforeItsTombstoneIsNotParked() {
    Chunk chunk = chunk(List.of(orders.bad("a"), tombstone("a")));

    assertCounts(deletingStore().write(chunk), 0, 2, 0);
  }

  @Test
  void largeChunkIsDeletedWhole() {
    write(orders.keys(numbered(500)));
    List<Event> events = new ArrayList<>();
    for (String key : numbered(1000)) {
      events.add(tombstone(key));
    }

    assertCounts(deletingStore().write(chunk(LockScheme.striped(16), events)), 0, 500, 0, 500);
    assertThat(rows()).isZero();
  }

  @Test
  void chunkThatIsNotOursAnyMoreChangesNothing() {
    write(orders.keys("a"));
    Chunk chunk = deletingChunk("-a +b");

    assertThat(deletingStore().write(chunk, () -> false))
        .isInstanceOf(WriteOutcome.Withdrawn.class);
    assertThat(rows()).isOne();
    assertThat(storedOffset("a")).isEqualTo(1200);
    assertCounts(deletingStore().write(chunk), 1, 0, 0, 1);
  }

  private Event tombstone(String key) {
    return orders.event(key.getBytes(UTF_8), null).deletion();
  }

  /** Events such as {@code +a -b}: of key a one to store, of b a tombstone. */
  private Chunk deletingChunk(String words) {
    List<Event> events = new ArrayList<>();
    for (String word : words.split(" ", -1)) {
      String key = word.substring(1);
      events.add(word.startsWith("-") ? tombstone(key) : orders.event(key, "{}"));
    }
    return chunk(events);
  }

  private void assertDeleting(String words, int inserted, int duplicates, int deleted) {
    assertCounts(deletingStore().write(deletingChunk(words)), inserted, duplicates, 0, deleted);
  }
}
