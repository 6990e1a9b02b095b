package dev.ingest.queue;

/** The SQL of the queue, one constant for each statement. */
final class Statements {
  private Statements() {}

  /**
   * Holds the planner to the indexes within the transaction and notes what was set before. A plan
   * that was made while the table was small, and is kept in a prepared statement, would otherwise
   * read the whole table long after it has grown. Returns the server's time in microseconds.
   */
  static final String STAY_ON_INDEXES =
      """
      SELECT set_config('ingest.seqscan', current_setting('enable_seqscan'), true),
             set_config('ingest.bitmapscan', current_setting('enable_bitmapscan'), true),
             set_config('ingest.hashjoin', current_setting('enable_hashjoin'), true),
             set_config('ingest.mergejoin', current_setting('enable_mergejoin'), true),
             set_config('enable_seqscan', 'off', true),
             set_config('enable_bitmapscan', 'off', true),
             set_config('enable_hashjoin', 'off', true),
             set_config('enable_mergejoin', 'off', true),
             (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS server_micros
      """;

  /** The same for a statement that is a transaction by itself: nothing is to be given back. */
  static final String STAY_ON_INDEXES_ALONE =
      """
      SELECT set_config('enable_seqscan', 'off', true),
             set_config('enable_bitmapscan', 'off', true),
             set_config('enable_hashjoin', 'off', true),
             set_config('enable_mergejoin', 'off', true),
             (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS server_micros
      """;

  /** Gives the planner back to the caller's transaction. */
  static final String LEAVE_INDEXES =
      """
      SELECT set_config('enable_seqscan', current_setting('ingest.seqscan'), true),
             set_config('enable_bitmapscan', current_setting('ingest.bitmapscan'), true),
             set_config('enable_hashjoin', current_setting('ingest.hashjoin'), true),
             set_config('enable_mergejoin', current_setting('ingest.mergejoin'), true)
      """;

  /** Bounds how long this transaction may sit idle. Bind: milliseconds as text. */
  static final String LIMIT_IDLE =
      "SELECT set_config('idle_in_transaction_session_timeout', ?, true)";

  /** Bounds how long this transaction waits for a lock. */
  static final String LIMIT_WAIT = "SELECT set_config('lock_timeout', '1s', true)";

  /**
   * Inserts jobs, each placed behind what is there: not before now, a microsecond after the one
   * before it in the array. Binds, one array each: queues, priorities, run-at in microseconds or
   * null, attempts, keys, attributes as JSON, payloads.
   */
  static final String ENQUEUE =
      """
      INSERT INTO ingest.job
        (queue, priority, run_at, max_attempts, job_key, attributes, payload)
      SELECT n.queue, n.priority,
             greatest(clock.now + n.place * interval '1 microsecond',
               timestamptz 'epoch' + n.run_at * interval '1 microsecond'),
             n.max_attempts, n.job_key, coalesce(n.attributes::jsonb, '{}'), n.payload
      FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock,
           unnest(?::text[], ?::int2[], ?::int8[], ?::int4[], ?::text[], ?::text[], ?::bytea[])
             WITH ORDINALITY
             AS n(queue, priority, run_at, max_attempts, job_key, attributes, payload, place)
      ORDER BY n.place
      ON CONFLICT (queue, job_key)
        WHERE job_key IS NOT NULL AND status IN ('waiting', 'running') DO NOTHING
      RETURNING id
      """;

  /** Wakes listening workers when the transaction commits. Binds: channel, queue. */
  static final String NOTIFY = "SELECT pg_notify(?, ?)";

  /** Hears of {@link #NOTIFY}. */
  static final String LISTEN = "LISTEN " + JobQueue.CHANNEL;

  /**
   * The waiting jobs of one queue that are due, first by priority, then by time, past those that
   * others hold. Lanes are a priority and where to begin in it, in microseconds. The lock is taken
   * as rows are pulled, so no more rows are locked than are returned. Binds: priorities,
   * beginnings, queue, limit, limit.
   */
  private static final String DUE =
      """
      FROM unnest(?::int2[], ?::int8[]) AS lane(priority, since)
      CROSS JOIN LATERAL (
        SELECT j.*, j.ctid AS place FROM ingest.job AS j
        WHERE j.queue = ? AND j.priority = lane.priority AND j.status = 'waiting'
          AND j.run_at >= timestamptz 'epoch' + lane.since * interval '1 microsecond'
          AND j.run_at <= statement_timestamp()
        ORDER BY j.run_at, j.id
        LIMIT ? FOR UPDATE SKIP LOCKED) AS w
      LIMIT ?
      """;

  private static final String COLUMNS =
      """
       %1$s.id, %1$s.priority, %1$s.job_key, %1$s.payload, %1$s.attributes::text, %1$s.attempts,
       %1$s.max_attempts, (extract(epoch FROM %1$s.run_at) * 1000000)::bigint,
       (extract(epoch FROM %1$s.enqueued_at) * 1000000)::bigint
      """;

  /**
   * Claims due jobs. Joined by place: the rows are locked, so they stay where they are. The order
   * of RETURNING is none. Binds: those of {@link #DUE}, lease in milliseconds, worker.
   */
  static final String CLAIM =
      """
      WITH due AS MATERIALIZED (
        SELECT w.place
      """
          + DUE
          + """
      )
      UPDATE ingest.job AS c
      SET status = 'running', attempts = c.attempts + 1, worker = claim.worker,
          lease_until = clock_timestamp() + claim.lease * interval '1 millisecond'
      FROM due, (SELECT ?::bigint AS lease, ?::text AS worker) AS claim
      WHERE c.ctid = due.place
      RETURNING
      """
          + COLUMNS.formatted("c");

  /** Locks due jobs for as long as the transaction lasts. Binds: those of {@link #DUE}. */
  static final String HOLD = "SELECT" + COLUMNS.formatted("w") + DUE;

  /**
   * Those of a caller's jobs that are still his, found through the primary key whatever the
   * statistics say: taken under an old snapshot they tell of an empty table, whose partial indexes,
   * or a join that begins with the table, look free. The status is therefore compared in a way that
   * fits no partial index, and there is no join (ADR 0010). Rows are locked in ascending order.
   */
  private static final String STILL_MINE =
      """
      WHERE j.id = ANY (mine.ids)
        AND j.attempts = mine.attempts[array_position(mine.ids, j.id)]
        AND j.status || '' = mine.status
      """;

  /**
   * Moves claimed jobs to the finished ones. Binds: ids, claims, status, outcome. Returns the ids
   * it moved: the others are no longer the caller's.
   */
  static final String FINISH =
      """
      WITH finished AS (
        DELETE FROM ingest.job AS j
        USING (SELECT ?::bigint[] AS ids, ?::integer[] AS attempts, ?::text AS status) AS mine
      """
          + STILL_MINE
          + """
        RETURNING j.id, j.queue, j.job_key, j.attempts, j.enqueued_at)
      INSERT INTO ingest.job_done (id, queue, job_key, outcome, attempts, enqueued_at)
      SELECT id, queue, job_key, ?, attempts, enqueued_at FROM finished
      RETURNING id
      """;

  /**
   * Puts claimed jobs behind the others, or out of the way for good where the delay is null. Binds:
   * ids, claims, attempts from now on, delays in milliseconds, errors, status. Returns the ids.
   */
  static final String FAIL =
      """
      UPDATE ingest.job AS j
      SET status = CASE WHEN mine.delays[array_position(mine.ids, j.id)] IS NULL
            THEN 'failed' ELSE 'waiting' END,
          attempts = mine.new_attempts[array_position(mine.ids, j.id)],
          lease_until = NULL, worker = NULL,
          last_error = coalesce(mine.errors[array_position(mine.ids, j.id)], j.last_error),
          run_at = clock_timestamp() + coalesce(mine.delays[array_position(mine.ids, j.id)], 0)
            * interval '1 millisecond'
      FROM (SELECT ?::bigint[] AS ids, ?::integer[] AS attempts, ?::integer[] AS new_attempts,
              ?::bigint[] AS delays, ?::text[] AS errors, ?::text AS status) AS mine
      """
          + STILL_MINE
          + "RETURNING j.id";

  /**
   * Prolongs leases. Binds: lease in milliseconds, ids, claims, worker or null for any. Returns the
   * ids.
   */
  static final String EXTEND =
      """
      UPDATE ingest.job AS j
      SET lease_until = clock_timestamp() + mine.lease * interval '1 millisecond'
      FROM (SELECT ?::bigint AS lease, ?::bigint[] AS ids, ?::integer[] AS attempts,
              'running'::text AS status, ?::text AS worker) AS mine
      """
          + STILL_MINE
          + "AND (mine.worker IS NULL OR j.worker = mine.worker) RETURNING j.id";

  /**
   * Puts jobs whose lease ran out behind the others, or out of the way for good after their last
   * attempt, past those that somebody works on. Bind: limit. Returns queue and status of each.
   */
  static final String REAP =
      """
      WITH expired AS MATERIALIZED (
        SELECT id FROM ingest.job
        WHERE status = 'running' AND lease_until < clock_timestamp()
        ORDER BY lease_until LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE ingest.job AS j
      SET status = CASE WHEN j.attempts < j.max_attempts THEN 'waiting' ELSE 'failed' END,
          lease_until = NULL, worker = NULL, run_at = clock_timestamp(),
          last_error = 'the lease ran out: its worker is gone or too slow'
      FROM expired WHERE j.id = expired.id
      RETURNING j.queue, j.status
      """;

  /** Takes jobs out of the queue that nobody works on. Bind: ids. Returns the ids. */
  static final String CANCEL =
      """
      WITH idle AS MATERIALIZED (
        SELECT id FROM ingest.job
        WHERE id = ANY (?::bigint[]) AND status IN ('waiting', 'failed')
        ORDER BY id FOR UPDATE SKIP LOCKED),
      cancelled AS (
        DELETE FROM ingest.job AS j USING idle WHERE j.id = idle.id
        RETURNING j.id, j.queue, j.job_key, j.attempts, j.enqueued_at)
      INSERT INTO ingest.job_done (id, queue, job_key, outcome, attempts, enqueued_at)
      SELECT id, queue, job_key, 'cancelled', attempts, enqueued_at FROM cancelled
      RETURNING id
      """;

  /**
   * Gives failed jobs further attempts, unless their key is taken by now; of several failed ones
   * with a key the newest. Keys are taken in the order in which enqueuing takes them. Binds: queue,
   * limit, attempts.
   */
  static final String RETRY =
      """
      WITH failed AS MATERIALIZED (
        SELECT f.id, f.job_key FROM ingest.job AS f
        WHERE f.queue = ? AND f.status = 'failed'
          AND NOT EXISTS (
            SELECT FROM ingest.job AS other
            WHERE other.queue = f.queue AND other.job_key = f.job_key
              AND (other.status IN ('waiting', 'running')
                OR other.status = 'failed' AND other.id > f.id))
        ORDER BY f.run_at LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE ingest.job AS j
      SET status = 'waiting', run_at = clock_timestamp(), max_attempts = j.attempts + ?
      FROM (SELECT id FROM failed ORDER BY job_key, id) AS ordered WHERE j.id = ordered.id
      """;

  /** Makes waiting jobs due that nobody works on. Binds: queue, keys. */
  static final String HASTEN =
      """
      WITH later AS MATERIALIZED (
        SELECT id FROM ingest.job
        WHERE queue = ? AND job_key = ANY (?::text[]) AND status = 'waiting'
          AND run_at > statement_timestamp() ORDER BY id FOR UPDATE SKIP LOCKED)
      UPDATE ingest.job AS j SET run_at = clock_timestamp() FROM later WHERE j.id = later.id
      """;

  /** The server's clock in microseconds. */
  static final String CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

  /**
   * Removes one step of finished jobs, oldest first. Binds: from and before in microseconds, limit.
   * Returns how many, and where the next step begins.
   */
  static final String PURGE_DONE =
      """
      WITH old AS MATERIALIZED (
        SELECT ctid AS place FROM ingest.job_done
        WHERE finished_at >= timestamptz 'epoch' + ? * interval '1 microsecond'
          AND finished_at < timestamptz 'epoch' + ? * interval '1 microsecond'
        ORDER BY finished_at LIMIT ? FOR UPDATE SKIP LOCKED),
      gone AS (
        DELETE FROM ingest.job_done AS d USING old WHERE d.ctid = old.place
        RETURNING d.finished_at)
      SELECT count(*), coalesce((extract(epoch FROM max(finished_at)) * 1000000)::bigint, 0)
      FROM gone
      """;

  /** Removes one step of failed jobs. Binds: queue, before in microseconds, limit. */
  static final String PURGE_FAILED =
      """
      WITH old AS MATERIALIZED (
        SELECT id FROM ingest.job
        WHERE queue = ? AND status = 'failed'
          AND run_at < timestamptz 'epoch' + ? * interval '1 microsecond'
        ORDER BY run_at LIMIT ? FOR UPDATE SKIP LOCKED)
      DELETE FROM ingest.job AS j USING old WHERE j.id = old.id
      """;

  /** Jobs in each state, locked or not, and how many seconds the oldest one has been due. */
  static final String DEPTH =
      """
      SELECT queue, status, count(*), coalesce(extract(epoch FROM
        clock_timestamp() - min(run_at) FILTER (WHERE run_at <= clock_timestamp())), 0)
      FROM ingest.job GROUP BY queue, status ORDER BY queue, status
      """;
}
