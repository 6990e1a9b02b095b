package dev.ingest.pipeline;

import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyGroup;

/**
 * Rows of the chunk at hand that an earlier transaction has added and deleted, though its reply was
 * lost and nobody was told. The chunk is written again all the same, perhaps in smaller pieces;
 * what is then found to be done is told as the first transaction did it, so that each row is told
 * once. Single-threaded.
 */
final class UntoldRows {
  private static final int NOTHING = 0;

  private int inserted;
  private int deleted;

  /** Chunks that were left when it began; {@link #NOTHING} where nothing is untold. */
  private int chunks = NOTHING;

  /**
   * A transaction of the chunk at hand turns out to be committed.
   *
   * @param written the chunk, or the piece of it
   * @param chunksLeft chunks that are left of the batch, this one included
   */
  void add(Chunk written, Applied committed, int chunksLeft) {
    if (chunks != NOTHING && isRepeat(written, committed)) {
      return; // what it did is untold already
    }
    inserted = committed.inserted();
    deleted = committed.deleted();
    chunks = chunksLeft;
  }

  /** What to tell of the chunk, or of the piece of it, that was written now. */
  Applied tell(Chunk written, Applied outcome) {
    if (chunks == NOTHING) {
      return outcome;
    }
    if (!isRepeat(written, outcome)) {
      // Then its rows were not there: another server has answered, which had lost the commit.
      clear();
      return outcome;
    }
    int added = Math.min(inserted, written.storing());
    int removed = Math.min(deleted, written.deleting());
    inserted -= added;
    deleted -= removed;
    int changed = outcome.inserted() + outcome.deleted() - added - removed;
    return new Applied(
        added, outcome.duplicates() + changed, outcome.parked(), removed, outcome.phases());
  }

  /**
   * Whether the chunk found all that it does done. A row that goes and comes back then does so
   * again.
   */
  private static boolean isRepeat(Chunk written, Applied outcome) {
    int replaced = 0;
    for (KeyGroup group : written.groups()) {
      replaced += group.deletes() && group.stores() ? 1 : 0;
    }
    return outcome.inserted() == replaced && outcome.deleted() == replaced;
  }

  /** The batch went on; what it left behind is told. */
  void forgetBehind(int chunksLeft) {
    if (chunksLeft < chunks) {
      clear();
    }
  }

  private void clear() {
    inserted = 0;
    deleted = 0;
    chunks = NOTHING;
  }
}
