package dev.ingest.postgres;

/** The SQL of the store that does not depend on the target, one constant for each statement. */
final class Statements {
  private Statements() {}

  /**
   * What every transaction sets for itself, so that neither roles nor poolers change the promise.
   * Each statement must see what was committed before it, and COMMIT must mean durable. A session
   * whose client is gone in the middle of a message is not idle to the server, and its statement
   * timeout waits for the rest of the message: the transaction timeout, from PostgreSQL 17 on, ends
   * it and its locks. May be followed by further columns. Binds: lock timeout, statement timeout,
   * idle timeout, transaction timeout, each in milliseconds as text.
   */
  static final String PREPARE_TRANSACTION =
      """
      SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
      SELECT set_config('lock_timeout', ?, true),
             set_config('statement_timeout', ?, true),
             set_config('idle_in_transaction_session_timeout', ?, true),
             CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL
               THEN set_config('transaction_timeout', ?, true) END,
             set_config('TimeZone', 'UTC', true),
             set_config('synchronous_commit',
               CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
               ELSE current_setting('synchronous_commit') END, true)""";

  /** Bounds a transaction that writes nothing. Binds: lock timeout, statement timeout, as above. */
  static final String BOUND_TRANSACTION =
      "SELECT set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true)";

  /**
   * Takes advisory locks in array order: the lock is computed above the function scan (ADR 0002).
   * Returns the seconds it took. Bind: ascending lock ids.
   */
  static final String TAKE_LOCKS =
      """
      SELECT extract(epoch FROM clock_timestamp() - statement_timestamp()), count(*)
      FROM (SELECT pg_advisory_xact_lock(id) FROM unnest(?::bigint[]) AS id OFFSET 0) AS locked
      """;

  /** The same in the two-integer form. Binds: namespace, ascending lock ids. */
  static final String TAKE_LOCKS_IN_NAMESPACE =
      """
      SELECT extract(epoch FROM clock_timestamp() - statement_timestamp()), count(*)
      FROM (SELECT pg_advisory_xact_lock(?, id) FROM unnest(?::integer[]) AS id OFFSET 0) AS locked
      """;

  /**
   * The rows of a chunk. Filled in with the unnested arrays. Binds: the arrays. Several sets in a
   * select list go side by side (manual 9.26), row by row, where a function scan would keep them
   * all first.
   */
  static final String ROWS = "(SELECT %s) AS r";

  /**
   * The same with the place of each row, from 1. Filled in with array parameters and their names.
   */
  static final String ROWS_WITH_PLACES = "unnest(%s) WITH ORDINALITY AS r(%s, place)";

  /**
   * Deletes the rows of keys. Returns for how many places there was one, since without a unique
   * index a key may have several. Filled in with table, {@link #ROWS_WITH_PLACES}, and condition.
   */
  static final String DELETE_ROWS =
      """
      WITH gone AS (DELETE FROM %s AS t USING %s WHERE %s RETURNING r.place)
      SELECT count(DISTINCT place) FROM gone
      """;

  /** Changes rows, and returns as above. Filled in with table, assignments, rows, condition. */
  static final String UPDATE_ROWS =
      """
      WITH changed AS (UPDATE %s AS t SET %s FROM %s WHERE %s RETURNING r.place)
      SELECT count(DISTINCT place) FROM changed
      """;

  /** Inserts rows in array order. Filled in with table, columns, their values, {@link #ROWS}. */
  static final String INSERT_ROWS =
      """
      INSERT INTO %s (%s)
      SELECT %s
      FROM %s
      """;

  /**
   * Does what {@link #INSERT_ROWS} does and returns the place of each row that was inserted, from
   * 1, in no order; null for one whose key was changed on the way into the table. Of several rows
   * with a key the first is the one. Counted by group, since a join of two arrays may be planned as
   * loops. Filled in with {@link #ROWS_WITH_PLACES}, the insert from {@code r}, the key as
   * returned, the key's names, the key as inserted.
   */
  static final String TELLING_INSERT =
      """
      WITH r AS MATERIALIZED (SELECT * FROM %s),
      stored AS (
      %s RETURNING %s)
      SELECT min(place) FROM (
        SELECT %s, NULL::bigint AS place FROM stored
        UNION ALL SELECT %s, place FROM r) AS k
      GROUP BY %4$s HAVING count(*) > count(place)
      """;

  /**
   * Goes on with an insert: passes over rows that are found. OFFSET 0 keeps the planner from
   * turning it into a join over whole partitions. Filled in with what is looked into, and
   * condition.
   */
  static final String UNLESS_FOUND = "WHERE NOT EXISTS (SELECT FROM %s AS t WHERE %s OFFSET 0)\n";

  /**
   * Places, from 1, of the rows that are not there. Filled in with array parameters, their names
   * and {@link #UNLESS_FOUND}. Binds: the arrays.
   */
  static final String MISSING_ROWS =
      """
      SELECT r.place
      FROM unnest(%s) WITH ORDINALITY AS r(%s, place)
      %s""";

  /**
   * Values are read as the store reads them; and each row is looked up by the index, however few of
   * the table's rows the planner believes in.
   */
  static final String PREPARE_LOOKUP =
      """
      SELECT set_config('TimeZone', 'UTC', true), set_config('enable_seqscan', 'off', true),
             set_config('jit', 'off', true)""";

  /**
   * How many keys a table holds more than once. Filled in with table, key, condition on the key.
   */
  static final String KEYS_TWICE =
      """
      SELECT count(*)
      FROM (SELECT FROM %s AS t WHERE %3$s GROUP BY %2$s HAVING count(*) > 1) AS twice
      """;

  /**
   * The same within a window of time. Filled in with table, key, condition on the key, time, length
   * of the window.
   */
  static final String KEYS_TWICE_IN_WINDOW =
      """
      SELECT count(*)
      FROM (SELECT FROM
              (SELECT %2$s, %4$s AS later, lag(%4$s) OVER (PARTITION BY %2$s ORDER BY %4$s) AS earlier
               FROM %1$s AS t WHERE %3$s) AS pairs
            WHERE later <= earlier + %5$s
            GROUP BY %2$s) AS twice
      """;

  /** Ends an insert: passes over keys that are there. Filled in with key columns. */
  static final String UNLESS_THERE = "ON CONFLICT (%s) DO NOTHING";

  /**
   * Finds rows with a value that the input function of its column's type refuses, from PostgreSQL
   * 16 on; one answer a row. Filled in with array parameters, their names, and a row (number, text,
   * type) for each. Binds: the arrays.
   */
  static final String FIND_UNREADABLE =
      """
      SELECT DISTINCT ON (r.row) r.row, v.number, e.sql_error_code
      FROM unnest(%s) WITH ORDINALITY AS r(%s, row)
      CROSS JOIN LATERAL (VALUES %s) AS v (number, text, type)
      CROSS JOIN LATERAL pg_input_error_info(v.text, v.type) AS e
      WHERE v.text IS NOT NULL AND e.sql_error_code IS NOT NULL
      ORDER BY r.row, v.number
      """;

  /**
   * Who is at the root of a session's wait: the oldest of those that it waits for, at any depth,
   * and that wait for nobody. Bind: process id.
   */
  static final String ROOT_BLOCKER =
      """
      WITH RECURSIVE chain (pid, depth) AS (
        SELECT unnest(pg_blocking_pids(?)), 1
        UNION
        SELECT b.pid, chain.depth + 1
        FROM chain, LATERAL unnest(pg_blocking_pids(chain.pid)) AS b (pid)
        WHERE chain.depth < 5)
      SELECT chain.pid, a.application_name,
             extract(epoch FROM clock_timestamp() - a.xact_start)::float8
      FROM chain LEFT JOIN pg_stat_activity AS a ON a.pid = chain.pid
      ORDER BY cardinality(pg_blocking_pids(chain.pid)), a.xact_start, chain.pid
      LIMIT 1
      """;

  /** Gives the transaction an id, as the first row that it writes does. */
  static final String NEW_TRANSACTION_ID = "SELECT pg_current_xact_id()";

  /** The transaction's id, null where it has written nothing so far. */
  static final String TRANSACTION_ID = "SELECT pg_current_xact_id_if_assigned()::text";

  /**
   * The same, and whether a unique index still decides. The insert before it holds the table, so
   * the index stays until the transaction has ended. Filled in with the index's oid.
   */
  static final String TRANSACTION_ID_WHILE_UNIQUE =
      """
      SELECT pg_current_xact_id_if_assigned()::text,
             EXISTS (SELECT FROM pg_catalog.pg_index
                     WHERE indexrelid = %d AND indisunique AND indimmediate AND indisvalid)
      """;

  /**
   * How a transaction ended (manual 9.27.7): committed, aborted, in progress, or null where it is
   * too old. Bind: transaction id as text.
   */
  static final String TRANSACTION_STATUS = "SELECT pg_xact_status(?::xid8)";

  /** Whether this session may not write: a standby, or set so. No binds. */
  static final String IS_READ_ONLY = "SELECT current_setting('transaction_read_only')::boolean";

  /** The server's hash of keys, in array order. Bind: keys. */
  static final String HASH_KEYS =
      """
      SELECT hashtext(k) FROM unnest(?::text[]) WITH ORDINALITY AS keys(k, i) ORDER BY i
      """;

  /** What the server is. */
  static final String SERVER_FACTS =
      """
      SELECT current_setting('server_version_num')::integer,
             current_setting('server_encoding'),
             current_setting('max_locks_per_transaction')::integer,
             current_setting('max_connections')::integer,
             current_setting('max_prepared_transactions')::integer
      """;

  /**
   * Keeps an event beside the target. One that is parked already stays one row: its first reason is
   * kept, the last is overwritten, attempts are counted. Binds: topic, partition, offset,
   * timestamp, key, value, header names, header values, size, SQLSTATE, reason, SQLSTATE, reason,
   * constraint, column, route.
   */
  static final String PARK =
      """
      INSERT INTO ingest.parked AS p (
        topic, partition, record_offset, record_timestamp, record_key, record_value,
        header_names, header_values, record_size, first_sqlstate, first_reason,
        last_sqlstate, last_reason, constraint_name, column_name, route)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (topic, partition, record_offset, record_timestamp, route) DO UPDATE
      SET attempts = p.attempts + 1,
          last_sqlstate = excluded.last_sqlstate,
          last_reason = excluded.last_reason,
          constraint_name = excluded.constraint_name,
          column_name = excluded.column_name,
          last_parked_at = now()
      """;
}
