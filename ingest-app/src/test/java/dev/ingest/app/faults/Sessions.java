package dev.ingest.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.stream.Collectors;

/** What the server says of the sessions in a database. */
final class Sessions {
  private Sessions() {}

  /** Nobody sits in an open transaction for longer than our own timeout allows. */
  static void assertClean(TestDatabase database) {
    await("sessions idle in transaction")
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () ->
                assertThat(
                        database.query(
                            """
                            SELECT pid, application_name, state, query FROM pg_stat_activity
                            WHERE datname = current_database() AND state LIKE 'idle in transaction%'\
                            """))
                    .isEmpty());
    assertNoOverflow(database);
  }

  /** Who does what, for a test that fails. */
  static String describe(TestDatabase database) {
    return database
        .query(
            """
            SELECT pid, application_name, state, wait_event, pg_blocking_pids(pid)::text AS blockers,
                   now() - xact_start AS transaction, now() - state_change AS unchanged,
                   left(query, 60) AS query
            FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()\
            """)
        .stream()
        .map(session -> session + "\n")
        .collect(Collectors.joining());
  }

  /** No session has more subtransactions than the server's cache holds. */
  static void assertNoOverflow(TestDatabase database) {
    assertThat(
            database.count(
                """
                SELECT count(*) FROM pg_stat_get_backend_idset() AS id
                WHERE (pg_stat_get_backend_subxact(id)).subxact_overflowed\
                """))
        .as("sessions with an overflow of subtransactions")
        .isZero();
  }
}
