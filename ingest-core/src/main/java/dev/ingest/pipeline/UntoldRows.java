package dev.ingest.pipeline;

import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.plan.Chunk;

/**
 * Rows of the chunk at hand that an earlier transaction has added, though its reply was lost and
 * nobody was told. The chunk is written again all the same, perhaps in smaller pieces; what is then
 * found to be there is told as inserted, so that each row is told once. Single-threaded.
 */
final class UntoldRows {
  private int rows;
  private int lastChunks;

  /**
   * A transaction of the chunk at hand turns out to be committed.
   *
   * @param chunksLeft chunks that are left of the batch, this one included
   */
  void add(Applied committed, int chunksLeft) {
    lastChunks = rows == 0 ? chunksLeft : Math.min(lastChunks, chunksLeft);
    rows += committed.inserted();
  }

  /** What to tell of the chunk, or of the piece of it, that was written now. */
  Applied tell(Chunk written, Applied outcome) {
    if (outcome.inserted() > 0) {
      // Then its rows were not there: another server has answered, which had lost the commit.
      rows = 0;
      return outcome;
    }
    int found = Math.min(rows, written.groups().size());
    rows -= found;
    return new Applied(found, outcome.duplicates() - found, outcome.parked(), outcome.phases());
  }

  /** The batch went on; what it left behind is told. */
  void forgetBehind(int chunksLeft) {
    if (chunksLeft < lastChunks) {
      rows = 0;
    }
  }
}
