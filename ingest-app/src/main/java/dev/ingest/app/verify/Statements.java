package dev.ingest.app.verify;

/** Questions to the table of parked events. They read only. */
final class Statements {
  private Statements() {}

  /**
   * Positions, from 1, of the records in the array that are parked or discarded; those that were
   * stored later are in the target or nowhere. Binds: offsets, topic, partition, route or null for
   * any.
   */
  static final String PARKED_OFFSETS =
      """
      SELECT DISTINCT wanted.position
      FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted(record_offset, position)
      JOIN ingest.parked AS p
        ON p.topic = ? AND p.partition = ? AND p.record_offset = wanted.record_offset
      WHERE p.status <> 'stored' AND p.route = coalesce(?, p.route)
      """;
}
