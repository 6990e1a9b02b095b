package dev.ingest.app.config;

import static dev.ingest.app.config.NumberTypes.duration;
import static dev.ingest.app.config.TextTypes.oneOf;

import dev.ingest.mapping.TombstoneRule;
import dev.ingest.mapping.WriteRules;
import java.time.Duration;

/** Settings that say how rows are written, beside what fills their columns. */
final class WriteSettings {
  static final Setting<Duration> DEDUPE_WINDOW =
      Setting.optional(
          "ingest.dedupe.window",
          duration("1s", "3650d"),
          "For a table that is partitioned by time and has no unique index on the key: how far apart the"
              + " times of two events of a key may be for the second to be a duplicate, before and after;"
              + " without it all partitions are searched ([targets](ingest-app/docs/targets.md)).");
  static final Setting<WriteRules.Prefilter> DEDUPE_PREFILTER =
      Setting.of(
          "ingest.dedupe.prefilter",
          oneOf(WriteRules.Prefilter.class),
          "auto",
          "Whether keys that are there are looked for before the insert: cheaper than a conflict under the"
              + " keys' locks, and no value of a sequence is used up; `auto`: with locks unless the table"
              + " is partitioned, and where it has an identity column or a default with `nextval`.");
  static final Setting<TombstoneRule> TOMBSTONE =
      Setting.of(
          "ingest.tombstone",
          TextTypes.of(
              "`store` · `skip` · `park` · `delete` · `soft-delete(COLUMN)`",
              WriteSettings::tombstone),
          "store",
          "A record without a value: `store` takes it for an event whose payload is NULL, `skip` passes it"
              + " over, `park` does what `ingest.errors.bad-event` says, `delete` deletes the row of its key,"
              + " `soft-delete(COLUMN)` marks it in a timestamptz or boolean column"
              + " ([tombstones](ingest-app/docs/tombstones.md)).");
  static final Setting<WriteRules.MissingPartition> ERRORS_MISSING_PARTITION =
      Setting.of(
          "ingest.errors.missing-partition",
          oneOf(WriteRules.MissingPartition.class),
          "park",
          "A row for which there is no partition: `park` does what `ingest.errors.bad-event` says, `pause`"
              + " stops writing until the partition is there.");

  private WriteSettings() {}

  private static TombstoneRule tombstone(String text) {
    try {
      return TombstoneRule.parse(text);
    } catch (IllegalArgumentException none) {
      throw InvalidValue.of(String.valueOf(none.getMessage()));
    }
  }
}
