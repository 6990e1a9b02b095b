package dev.ingest.app.schema;

/** Every statement that is sent around the migrations; the migrations themselves are files. */
final class Statements {
  /** Whether schema and history are there, and whether this role may read them. Needs no right. */
  static final String HISTORY_ACCESS =
      """
      SELECT n.oid IS NOT NULL AND c.oid IS NOT NULL AS present,
             coalesce(has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'), false) AS readable
      FROM (SELECT 1) AS one
      LEFT JOIN pg_catalog.pg_namespace n ON n.nspname = 'ingest'
      LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = 'schema_history'""";

  /** The newest migration that was applied; 0 before the first. */
  static final String VERSION =
      """
      SELECT coalesce(max(version::integer), 0)
      FROM ingest.schema_history
      WHERE success AND version IS NOT NULL""";

  static final String SCHEMA_EXISTS =
      "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'ingest')";

  /** For this transaction only, so that nothing stays behind in a pooled session. */
  static final String LIMIT_LOCK_WAIT = "SET LOCAL lock_timeout = '2s'";

  static final String CREATE_SCHEMA = "CREATE SCHEMA ingest";

  /**
   * Lets one process at a time migrate. The two-integer form, so that no business key's lock is
   * hit. The transaction does nothing while Flyway works, which other timeouts must not end.
   */
  static final String TAKE_TURN =
      """
      SELECT set_config('idle_in_transaction_session_timeout', '30min', true),
             set_config('statement_timeout', '0', true),
             pg_catalog.pg_advisory_xact_lock(hashtext('ingest'), hashtext('migrate'))""";

  /** Who holds locks on our tables, oldest transaction first. */
  static final String BLOCKERS =
      """
      SELECT DISTINCT ON (a.xact_start, a.pid) a.pid, a.application_name, a.state,
             extract(epoch FROM clock_timestamp() - a.xact_start)::bigint AS seconds
      FROM pg_catalog.pg_locks l
      JOIN pg_catalog.pg_class c ON c.oid = l.relation
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'ingest'
      JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
      WHERE l.granted AND l.pid <> pg_backend_pid()
        AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
      ORDER BY a.xact_start, a.pid
      LIMIT 1""";

  private Statements() {}
}
