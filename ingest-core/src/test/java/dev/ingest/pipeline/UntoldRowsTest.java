package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.pipeline.WriteOutcome.Phases;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.HashText;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UntoldRowsTest {
  private final UntoldRows untold = new UntoldRows();
  private final Chunk chunk = chunk("a", "b", "c", "a", "a");

  @Test
  void withoutALostReplyTheOutcomeStands() {
    assertThat(untold.tell(chunk, applied(2, 3))).isEqualTo(applied(2, 3));
    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(0, 5));
  }

  @Test
  void rowsOfTheLostTransactionAreToldOnce() {
    untold.add(chunk, applied(2, 3), 1);

    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(2, 3));
    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(0, 5));
  }

  @Test
  void repliesMayBeLostSeveralTimes() {
    untold.add(chunk, applied(2, 3), 1);
    untold.add(chunk, applied(0, 5), 1);

    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(2, 3));
  }

  @Test
  void piecesShareTheRows() {
    Chunk first = chunk("a", "b");
    Chunk rest = chunk("c", "d");
    untold.add(chunk("a", "b", "c", "d"), applied(3, 1), 7);

    assertThat(untold.tell(first, applied(0, 2))).isEqualTo(applied(2, 0));
    untold.forgetBehind(7);
    assertThat(untold.tell(rest, applied(0, 2))).isEqualTo(applied(1, 1));
  }

  /** A piece that parks gets an id of its own, so its reply can be lost too. */
  @Test
  void replyOfAPieceMayBeLostToo() {
    untold.add(chunk("a", "b", "c", "d"), applied(3, 1), 7);
    untold.add(chunk("a", "b"), applied(0, 2), 8);

    assertThat(untold.tell(chunk("a", "b"), applied(0, 2))).isEqualTo(applied(2, 0));
    untold.forgetBehind(7);
    assertThat(untold.tell(chunk("c", "d"), applied(0, 2))).isEqualTo(applied(1, 1));
  }

  @Test
  void nextChunkInheritsNothing() {
    untold.add(chunk, applied(3, 2), 4);
    untold.forgetBehind(3);

    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(0, 5));
  }

  @Test
  void rowsThatTheServerHasLostAreToldAsTheyAreAddedAgain() {
    untold.add(chunk, applied(2, 3), 1);

    assertThat(untold.tell(chunk, applied(2, 3))).isEqualTo(applied(2, 3));
    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(0, 5));
  }

  /**
   * Rewritten, a row that goes and comes back does so again, and is told as it was the first time.
   */
  @Test
  void deletionsOfTheLostTransactionAreToldOnce() {
    Chunk mixed = deleting("-a", "+a", "-b", "+c");
    untold.add(mixed, applied(2, 1, 1), 1);
    untold.add(mixed, applied(1, 2, 1), 1);

    assertThat(untold.tell(mixed, applied(1, 2, 1))).isEqualTo(applied(2, 1, 1));
    untold.forgetBehind(0);
    assertThat(untold.tell(mixed, applied(1, 2, 1))).isEqualTo(applied(1, 2, 1));
  }

  @Test
  void piecesShareTheDeletions() {
    untold.add(deleting("-a", "+a", "-b", "+c"), applied(2, 1, 1), 7);

    assertThat(untold.tell(deleting("-b", "+c"), applied(0, 2, 0))).isEqualTo(applied(1, 0, 1));
    untold.forgetBehind(7);
    assertThat(untold.tell(deleting("-a", "+a"), applied(1, 0, 1))).isEqualTo(applied(1, 1, 0));
  }

  @Test
  void deletionsThatTheServerHasLostAreToldAsTheyAreDoneAgain() {
    Chunk mixed = deleting("-a", "+a", "-b", "+c");
    untold.add(mixed, applied(2, 1, 1), 1);

    assertThat(untold.tell(mixed, applied(2, 0, 2))).isEqualTo(applied(2, 0, 2));
    assertThat(untold.tell(mixed, applied(1, 2, 1))).isEqualTo(applied(1, 2, 1));
  }

  private static Applied applied(int inserted, int duplicates, int deleted) {
    return new Applied(inserted, duplicates, 0, deleted, Phases.NONE);
  }

  private static Applied applied(int inserted, int duplicates) {
    return new Applied(inserted, duplicates, 0, Phases.NONE);
  }

  /** Of {@code +a} an event to store, of {@code -a} a tombstone. */
  private static Chunk deleting(String... words) {
    return chunk(
        Stream.of(words)
            .map(
                word -> {
                  Event event = EventLine.on("t", 0).keys(word.substring(1)).get(0);
                  return word.startsWith("-") ? event.deletion() : event;
                })
            .toList());
  }

  private static Chunk chunk(String... keys) {
    return chunk(EventLine.on("t", 0).keys(keys));
  }

  private static Chunk chunk(List<Event> events) {
    return Batch.of(
            events,
            LockScheme.perKey(),
            EventReader.telling(true, KeyReader.recordKey()),
            texts -> texts.stream().mapToInt(HashText::hash).toArray())
        .head();
  }
}
