package dev.ingest.app.parked;

/** The SQL on {@code ingest.parked}, one constant for each statement. */
final class Statements {
  private Statements() {}

  /**
   * The wanted events: null means any. Binds: topic, partition, offset, route, SQLSTATE,
   * constraint, since, until, attempts, statuses.
   */
  private static final String WANTED =
      """
      FROM ingest.parked AS p,
           (SELECT ?::text AS topic, ?::int AS partition, ?::bigint AS record_offset,
                   ?::text AS route, ?::text AS state, ?::text AS constraint_name,
                   ?::timestamptz AS since, ?::timestamptz AS until, ?::int AS attempts,
                   ?::text[] AS statuses) AS f
      WHERE p.status = ANY (f.statuses)
        AND (f.topic IS NULL OR p.topic = f.topic)
        AND (f.partition IS NULL OR p.partition = f.partition)
        AND (f.record_offset IS NULL OR p.record_offset = f.record_offset)
        AND (f.route IS NULL OR p.route = f.route)
        AND (f.state IS NULL OR p.last_sqlstate = f.state)
        AND (f.constraint_name IS NULL OR p.constraint_name = f.constraint_name)
        AND (f.since IS NULL OR p.last_parked_at >= f.since)
        AND (f.until IS NULL OR p.last_parked_at < f.until)
        AND (f.attempts IS NULL OR p.attempts < f.attempts)
      """;

  /** The wanted events by cause, most frequent first. Binds: those of {@link #WANTED}. */
  static final String CAUSES =
      """
      SELECT p.topic, p.route, p.status, p.last_sqlstate, p.constraint_name, p.column_name,
             p.last_reason, count(*), max(p.attempts), min(p.first_parked_at),
             max(p.last_parked_at)
      """
          + WANTED
          + """
      GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 8 DESC, 1, 2, 3, 4, 5, 6, 7
      """;

  private static final String EVENT =
      """
      SELECT p.topic, p.partition, p.record_offset, p.record_timestamp, p.route, p.record_key,
             p.record_value, p.header_names, p.header_values, p.record_size, p.status, p.attempts,
             p.first_sqlstate, p.first_reason, p.last_sqlstate, p.last_reason, p.constraint_name,
             p.column_name, p.first_parked_at, p.last_parked_at
      """;

  /** The wanted events with all there is. Binds: those of {@link #WANTED}, limit. */
  static final String EVENTS =
      EVENT
          + WANTED
          + "ORDER BY p.topic, p.partition, p.record_offset, p.record_timestamp, p.route LIMIT ?";

  /**
   * One step of positions of wanted events, in the order of the primary key, after one. Binds:
   * those of {@link #WANTED}, topic, partition, offset, timestamp, route, limit.
   */
  static final String POSITIONS =
      """
      SELECT p.topic, p.partition, p.record_offset, p.record_timestamp, p.route
      """
          + WANTED
          + """
        AND (p.topic, p.partition, p.record_offset, p.record_timestamp, p.route) > (?, ?, ?, ?, ?)
      ORDER BY p.topic, p.partition, p.record_offset, p.record_timestamp, p.route LIMIT ?
      """;

  private static final String NAMED =
      """
      unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::text[])
        AS n(topic, partition, record_offset, record_timestamp, route)
      """;

  private static final String SAME =
      """
      p.topic = n.topic AND p.partition = n.partition AND p.record_offset = n.record_offset
        AND p.record_timestamp = n.record_timestamp AND p.route = n.route
      """;

  /**
   * Sizes of those that are still parked. Binds: topics, partitions, offsets, timestamps, routes.
   */
  static final String SIZES =
      "SELECT n.*, p.record_size FROM "
          + NAMED
          + "JOIN ingest.parked AS p ON "
          + SAME
          + "WHERE p.status = 'parked'";

  /** The same with all there is. Binds: as {@link #SIZES}. */
  static final String NAMED_EVENTS =
      EVENT + "FROM " + NAMED + "JOIN ingest.parked AS p ON " + SAME + "WHERE p.status = 'parked'";

  /**
   * Those that were not parked again have been stored. Binds: as {@link #SIZES}, attempts before.
   */
  static final String STORED =
      """
      UPDATE ingest.parked AS p SET status = 'stored'
      FROM unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::int[])
        AS n(topic, partition, record_offset, record_timestamp, route, attempts)
      WHERE p.status = 'parked' AND p.attempts = n.attempts AND
      """
          + SAME;

  /** Gives events another status. Binds: as {@link #SIZES}, status, status before. */
  static final String SET_STATUS =
      "UPDATE ingest.parked AS p SET status = ? FROM "
          + NAMED
          + "WHERE p.status = ANY (?::text[]) AND "
          + SAME;

  /** The same, and forgets what the events held. Binds: as {@link #SET_STATUS}. */
  static final String SET_STATUS_AND_ERASE =
      """
      UPDATE ingest.parked AS p
      SET status = ?, record_key = NULL, record_value = NULL, header_names = '{}', header_values = '{}'
      FROM
      """
          + NAMED
          + "WHERE p.status = ANY (?::text[]) AND "
          + SAME;

  /** Bounds how long jobs are held by a process that stands still. */
  static final String LIMIT_IDLE =
      "SELECT set_config('idle_in_transaction_session_timeout', '60s', true)";

  /**
   * Events whose cause may have healed by now: a delay after the last try that doubles with each.
   * Passes over tombstones that delete, and with them references, which are never tried, and those
   * that wait for their try already, by the key of {@link ParkedPosition#key}. Binds: SQLSTATEs,
   * whether a missing partition counts, routes that delete, attempts, base and longest delay in
   * seconds, limit.
   */
  static final String HEALED_PERHAPS =
      """
      SELECT topic, partition, record_offset, record_timestamp, route FROM ingest.parked AS p
      WHERE p.status = 'parked'
        AND (last_sqlstate = ANY (?::text[])
          OR ?::boolean AND last_sqlstate = '23514' AND constraint_name IS NULL)
        AND NOT (record_value IS NULL AND route = ANY (?::text[]))
        AND p.attempts < ?
        AND last_parked_at < now() - least(? * 2 ^ least(p.attempts - 1, 30), ?) * interval '1 second'
        AND NOT EXISTS (
          SELECT FROM ingest.job AS j
          WHERE j.queue = 'ingest.parked' AND j.status IN ('waiting', 'running')
            AND j.job_key = concat_ws(
              '/', p.topic, p.partition, p.record_offset, p.record_timestamp, p.route))
      ORDER BY last_parked_at LIMIT ?
      """;
}
