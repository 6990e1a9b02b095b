package dev.ingest.postgres.locks;

/** The SQL that asks for locks, one constant for each statement. */
final class Statements {
  private Statements() {}

  /** Must not wait itself, nor be in anybody's way. */
  static final String BOUND_OURSELVES =
      "SELECT set_config('statement_timeout', '10s', false), set_config('lock_timeout', '1s', false)";

  /**
   * All who wait for a lock and all whom they wait for. {@code pg_blocking_pids} is asked only of
   * those who wait, since it stops the lock manager for a moment. Process id 0 is a prepared
   * transaction.
   */
  static final String SESSIONS =
      """
      WITH waiting AS MATERIALIZED (
        SELECT DISTINCT ON (l.pid) l.pid, pg_blocking_pids(l.pid) AS blockers
        FROM pg_locks AS l WHERE NOT l.granted ORDER BY l.pid),
      concerned AS (
        SELECT pid FROM waiting UNION SELECT unnest(blockers) FROM waiting)
      SELECT c.pid, a.application_name, a.usename, a.datname, a.state,
             nullif(concat_ws(': ', a.wait_event_type, a.wait_event), ''),
             extract(epoch FROM clock_timestamp() - a.xact_start)::float8,
             extract(epoch FROM clock_timestamp() - a.state_change)::float8,
             a.query, coalesce(w.blockers, '{}')
      FROM concerned AS c
      LEFT JOIN waiting AS w USING (pid)
      LEFT JOIN pg_stat_activity AS a USING (pid)
      WHERE c.pid = 0 OR a.pid IS NOT NULL
      ORDER BY c.pid
      """;

  /**
   * The locks that somebody waits for, whoever has or wants them. Relations of other databases have
   * no name here.
   */
  static final String CONTESTED =
      """
      WITH wanted AS MATERIALIZED (SELECT DISTINCT locktype, database, relation, page, tuple,
          virtualxid, transactionid, classid, objid, objsubid FROM pg_locks WHERE NOT granted)
      SELECT coalesce(l.pid, 0), l.granted, l.locktype, l.mode,
             coalesce(l.virtualxid, l.transactionid::text,
               CASE WHEN l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                 THEN l.relation::regclass::text ELSE l.relation::text END),
             coalesce(l.classid::bigint, 0), coalesce(l.objid::bigint, 0), coalesce(l.objsubid, 0)
      FROM pg_locks AS l JOIN wanted AS w
        ON (l.locktype, l.database, l.relation, l.page, l.tuple, l.virtualxid, l.transactionid,
            l.classid, l.objid, l.objsubid)
        IS NOT DISTINCT FROM
           (w.locktype, w.database, w.relation, w.page, w.tuple, w.virtualxid, w.transactionid,
            w.classid, w.objid, w.objsubid)
      ORDER BY 1, 3, 4
      """;

  /**
   * Database, its deadlocks, entries of the shared lock table in use and those it is sure to hold
   * (manual 19.12). Locks of the fast path and predicate locks are kept elsewhere.
   */
  static final String TOTALS =
      """
      SELECT current_database(),
             (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()),
             (SELECT count(*) FROM (
               SELECT DISTINCT locktype, database, relation, page, tuple, virtualxid, transactionid,
                 classid, objid, objsubid
               FROM pg_locks WHERE NOT fastpath AND mode <> 'SIReadLock') AS shared),
             current_setting('max_locks_per_transaction')::bigint
               * (current_setting('max_connections')::bigint
                 + current_setting('max_prepared_transactions')::bigint)
      """;

  /** When a session began: its process id may belong to another one a moment later. Bind: pid. */
  static final String BACKEND_START =
      "SELECT backend_start::text FROM pg_stat_activity WHERE pid = ? AND backend_type = 'client backend'";

  /** Ends a session if it is still the same. Binds: pid, start as text. */
  static final String TERMINATE =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid = ? AND backend_start = ?::timestamptz AND backend_type = 'client backend'
      """;
}
