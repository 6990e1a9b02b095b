package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.testkit.EventLine;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TombstonesTest {
  private static final EventReader KEYS = KeyReader.recordKey();

  private final EventLine orders = EventLine.on("orders", 0);
  private final Event event = orders.event("a", "{}");
  private final Event tombstone = orders.event(new byte[] {'a'}, null);

  @Test
  void eachRuleTouchesTombstonesAlone() {
    for (EventReader reader :
        List.of(Tombstones.skipped(KEYS), Tombstones.refused(KEYS), Tombstones.deleting(KEYS))) {
      assertThat(reader.read(event)).isEqualTo(KEYS.read(event));
    }

    assertThat(Tombstones.skipped(KEYS).read(tombstone)).isEqualTo(new Reading.Skipped());
    assertThat(Tombstones.refused(KEYS).read(tombstone)).isInstanceOf(Reading.Rejected.class);
    assertThat(Tombstones.deleting(KEYS).read(tombstone))
        .isInstanceOfSatisfying(
            Reading.Keyed.class,
            keyed -> {
              assertThat(keyed.key().value()).isEqualTo("a");
              assertThat(keyed.event().isDeletion()).isTrue();
              assertThat(keyed.event().offset()).isEqualTo(tombstone.offset());
            });
  }

  /** Else the order of the topic would not be kept where they are wrapped once more. */
  @Test
  void whatWrapsAReaderDeletesWhereThatDoes() {
    EventReader deleting = Tombstones.deleting(KEYS);

    for (EventReader wrapped :
        List.of(
            ValueFormat.asItIs().before(deleting),
            Tombstones.skipped(deleting),
            Tombstones.refused(deleting))) {
      assertThat(wrapped.deletes()).isTrue();
      assertThat(new Routes(List.of(new Route("r", topic -> true, wrapped))).deletes("r")).isTrue();
    }
    assertThat(ValueFormat.asItIs().before(KEYS).deletes()).isFalse();
    assertThat(Tombstones.skipped(KEYS).deletes()).isFalse();
    assertThat(ValueFormat.asItIs().before(deleting).read(tombstone))
        .isInstanceOfSatisfying(
            Reading.Keyed.class, keyed -> assertThat(keyed.event().isDeletion()).isTrue());
  }

  /** Neither JSON null nor a value of no bytes orders anything. */
  @Test
  void onlyARecordWithoutAValueIsATombstone() {
    EventReader deleting = Tombstones.deleting(KEYS);

    for (Event other : List.of(orders.event("a", "null"), orders.event("a", ""))) {
      assertThat(((Reading.Keyed) deleting.read(other)).event().isDeletion()).isFalse();
    }
  }

  @Test
  void tombstoneWithoutAKeyCantBeCarriedOut() {
    assertThat(Tombstones.deleting(KEYS).read(orders.event((byte[]) null, null)))
        .isInstanceOf(Reading.Rejected.class);
  }

  @Test
  void whatComesAfterTheLastDeletionCountsAlone() {
    Event second = orders.event("a", "{}");
    Event third = orders.event("a", "{}");
    KeyGroup group = group(event, tombstone.deletion(), second, third);

    assertThat(group.deletes()).isTrue();
    assertThat(group.first()).isSameAs(second);
    assertThat(group.without(Set.of(second)).orElseThrow().first()).isSameAs(third);
    assertThat(group(event, tombstone.deletion()).stores()).isFalse();
    assertThat(group(event, second).deletes()).isFalse();
  }

  @Test
  void withoutItsTombstoneAGroupIsWhatItWas() {
    Event deletion = tombstone.deletion();
    KeyGroup group = group(event, deletion);

    KeyGroup rest = group.without(Set.of(deletion)).orElseThrow();

    assertThat(rest.deletes()).isFalse();
    assertThat(rest.first()).isSameAs(event);
    assertThat(group.without(Set.of(event)).orElseThrow().events()).isEqualTo(group.events());
    assertThat(group(deletion).without(Set.of(deletion))).isEmpty();
  }

  private static KeyGroup group(Event... events) {
    KeyHasher hasher = keys -> keys.stream().mapToInt(HashText::hash).toArray();
    EventReader reader = EventReader.telling(true, KEYS);
    return Batch.of(List.of(events), LockScheme.perKey(), reader, hasher).head().groups().get(0);
  }
}
