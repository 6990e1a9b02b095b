package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.pipeline.WriteOutcome.Phases;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.HashText;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
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
    untold.add(applied(2, 3), 1);

    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(2, 3));
    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(0, 5));
  }

  @Test
  void repliesMayBeLostSeveralTimes() {
    untold.add(applied(2, 3), 1);
    untold.add(applied(0, 5), 1);

    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(2, 3));
  }

  @Test
  void piecesShareTheRows() {
    Chunk first = chunk("a", "b");
    Chunk rest = chunk("c", "d");
    untold.add(applied(3, 1), 7);

    assertThat(untold.tell(first, applied(0, 2))).isEqualTo(applied(2, 0));
    untold.forgetBehind(7);
    assertThat(untold.tell(rest, applied(0, 2))).isEqualTo(applied(1, 1));
  }

  /** A piece that parks gets an id of its own, so its reply can be lost too. */
  @Test
  void replyOfAPieceMayBeLostToo() {
    untold.add(applied(3, 1), 7);
    untold.add(applied(0, 2), 8);

    assertThat(untold.tell(chunk("a", "b"), applied(0, 2))).isEqualTo(applied(2, 0));
    untold.forgetBehind(7);
    assertThat(untold.tell(chunk("c", "d"), applied(0, 2))).isEqualTo(applied(1, 1));
  }

  @Test
  void nextChunkInheritsNothing() {
    untold.add(applied(3, 2), 4);
    untold.forgetBehind(3);

    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(0, 5));
  }

  @Test
  void rowsThatTheServerHasLostAreToldAsTheyAreAddedAgain() {
    untold.add(applied(2, 3), 1);

    assertThat(untold.tell(chunk, applied(2, 3))).isEqualTo(applied(2, 3));
    assertThat(untold.tell(chunk, applied(0, 5))).isEqualTo(applied(0, 5));
  }

  private static Applied applied(int inserted, int duplicates) {
    return new Applied(inserted, duplicates, 0, Phases.NONE);
  }

  private static Chunk chunk(String... keys) {
    return Batch.of(
            EventLine.on("t", 0).keys(keys),
            LockScheme.perKey(),
            KeyReader.recordKey(),
            texts -> texts.stream().mapToInt(HashText::hash).toArray())
        .head();
  }
}
