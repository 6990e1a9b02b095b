package dev.ingest.app.verify;

/** Questions to the target. They read only. */
final class Statements {
  private Statements() {}

  /** Positions, from 1, of the keys in the array that the table lacks. Bind: keys. */
  static final String MISSING_KEYS =
      """
      SELECT wanted.position
      FROM unnest(?::text[]) WITH ORDINALITY AS wanted(key, position)
      WHERE NOT EXISTS (SELECT FROM %s AS stored WHERE stored.%s = wanted.key)
      """;

  /**
   * Positions, from 1, of the records in the arrays that are parked. Binds: topic, partition,
   * offsets.
   */
  static final String PARKED_OFFSETS =
      """
      SELECT DISTINCT wanted.position
      FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted(record_offset, position)
      JOIN ingest.parked AS p
        ON p.topic = ? AND p.partition = ? AND p.record_offset = wanted.record_offset
      """;

  /** How many keys the table holds more than once. */
  static final String KEYS_TWICE =
      """
      SELECT count(*) FROM (SELECT FROM %1$s GROUP BY %2$s HAVING count(*) > 1) AS twice
      """;
}
