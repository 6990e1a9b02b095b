package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;
import dev.ingest.testkit.EventLine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Cutting and parking lose no event, add none, and keep the order of locks and rows. */
class ChunkPropertyTest {

  @Property
  void piecesAreTheWholeWithinTheLocks(
      @ForAll("chunks") Chunk chunk, @ForAll @IntRange(min = 1, max = 12) int maxLocks) {
    List<Chunk> pieces = pieces(chunk, maxLocks);

    assertThat(pieces.stream().flatMap(piece -> piece.groups().stream()))
        .containsExactlyElementsOf(chunk.groups());
    assertThat(pieces).allMatch(piece -> piece.locks().size() <= maxLocks);
    assertThat(pieces.get(0).parked()).isEqualTo(chunk.parked());
    assertThat(pieces.stream().skip(1)).allMatch(piece -> piece.parked().isEmpty());
  }

  /** No piece could have taken the next group too. */
  @Property
  void piecesAreAsLargeAsTheLocksAllow(
      @ForAll("chunks") Chunk chunk, @ForAll @IntRange(min = 1, max = 12) int maxLocks) {
    List<Chunk> pieces = pieces(chunk, maxLocks);

    for (int i = 1; i < pieces.size(); i++) {
      List<KeyGroup> more = new ArrayList<>(pieces.get(i - 1).groups());
      more.add(pieces.get(i).groups().get(0));
      assertThat(chunk.only(more).locks().size()).isGreaterThan(maxLocks);
    }
  }

  @Property
  void locksAscendAndCoverEveryGroup(@ForAll("chunks") Chunk chunk) {
    int[] ids = chunk.locks().ids();

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(Arrays.stream(chunk.locks().widened()).mapToInt(Math::toIntExact).toArray())
        .isEqualTo(ids);
    assertThat(chunk.groups()).extracting(KeyGroup::hash).isSorted();
  }

  @Property
  void parkedEventsLeaveTheirGroupAndTheNextTakesThePlace(
      @ForAll("chunks") Chunk chunk, @ForAll Set<@IntRange(max = 30) Integer> which) {
    List<RejectedEvent> rejected = firsts(chunk, which);
    Set<Event> bad = new HashSet<>(rejected.stream().map(RejectedEvent::event).toList());

    Chunk parking = chunk.parking(rejected);
    Chunk without = chunk.without(rejected);

    assertThat(parking.parked()).containsExactlyElementsOf(joined(chunk.parked(), rejected));
    assertThat(without.parked()).isEqualTo(chunk.parked());
    assertThat(without.groups()).isEqualTo(parking.groups());
    assertThat(parking.storable()).isEqualTo(chunk.storable() - rejected.size());
    assertThat(events(parking))
        .containsExactlyElementsOf(events(chunk).stream().filter(e -> !bad.contains(e)).toList());
    assertThat(parking.isEmpty()).isEqualTo(parking.storable() == 0 && parking.parked().isEmpty());
  }

  private static List<RejectedEvent> firsts(Chunk chunk, Set<Integer> which) {
    return which.stream()
        .filter(index -> index < chunk.groups().size())
        .map(index -> RejectedEvent.unreadable(chunk.groups().get(index).first(), "bad"))
        .toList();
  }

  private static List<RejectedEvent> joined(List<RejectedEvent> some, List<RejectedEvent> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static List<Event> events(Chunk chunk) {
    return chunk.groups().stream().flatMap(group -> group.events().stream()).toList();
  }

  private static List<Chunk> pieces(Chunk chunk, int maxLocks) {
    List<Chunk> pieces = new ArrayList<>();
    ArrayDeque<Chunk> left = new ArrayDeque<>(List.of(chunk));
    while (!left.isEmpty()) {
      List<Chunk> cut = left.remove().split(maxLocks);
      pieces.add(cut.get(0));
      cut.stream().skip(1).forEach(left::add);
    }
    return pieces;
  }

  @Provide
  Arbitrary<Chunk> chunks() {
    Arbitrary<LockScheme> schemes =
        Arbitraries.of(LockScheme.perKey(), LockScheme.striped(5), LockScheme.striped(1));
    // Few keys, so that they repeat; every third key has the hash of another one.
    Arbitrary<List<Integer>> keys = Arbitraries.integers().between(0, 20).list().ofMaxSize(40);
    return Combinators.combine(schemes, keys, Arbitraries.integers().between(0, 3))
        .as(ChunkPropertyTest::chunk);
  }

  private static Chunk chunk(LockScheme scheme, List<Integer> keys, int unreadable) {
    EventLine line = EventLine.on("t", 0);
    Map<Integer, List<Event>> byKey = new LinkedHashMap<>();
    keys.forEach(
        key -> byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(line.event("k" + key, "{}")));
    List<KeyGroup> groups = new ArrayList<>();
    byKey.forEach(
        (key, events) ->
            groups.add(new KeyGroup(new BusinessKey("k" + key), 7 - key / 3 * 5, events)));
    List<RejectedEvent> parked =
        Stream.generate(() -> RejectedEvent.unreadable(line.withoutKey(), "no key"))
            .limit(unreadable)
            .toList();
    return Chunk.of("t", scheme, groups, parked);
  }
}
