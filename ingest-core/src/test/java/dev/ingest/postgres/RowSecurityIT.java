package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.mapping.WriteRules;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** 42501 from a policy that refuses a row, and from a privilege that nobody gave. */
class RowSecurityIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final String ROLE = "row_security_it_" + ProcessHandle.current().pid();

  private final TestDatabase database = POSTGRES.database();
  private final StoreDriver store = new StoreDriver(asRole(), TargetMapping.event());

  @BeforeAll
  static void createRole() {
    TestDatabase database = POSTGRES.database();
    Schema.create(database);
    database.execute("CREATE ROLE " + ROLE + " LOGIN");
    database.execute("GRANT USAGE ON SCHEMA ingest TO " + ROLE);
    database.execute("GRANT SELECT, INSERT, UPDATE ON ingest.event, ingest.parked TO " + ROLE);
    database.execute("ALTER TABLE ingest.event ENABLE ROW LEVEL SECURITY");
    database.execute(
        "CREATE POLICY keys ON ingest.event USING (true) WITH CHECK (business_key NOT LIKE 'x%')");
  }

  @AfterAll
  static void dropRole() {
    POSTGRES.database().execute("DROP OWNED BY " + ROLE);
    POSTGRES.database().execute("DROP ROLE " + ROLE);
  }

  @BeforeEach
  void emptyTables() {
    database.execute("TRUNCATE ingest.event, ingest.parked");
    database.execute("ALTER TABLE ingest.event DROP CONSTRAINT IF EXISTS small");
  }

  @Test
  void rowsThatAPolicyRefusesAreParkedAndTheOthersStored() {
    StoreDriver.Sums sums =
        store.write(
            List.of(event("a"), event("x-secret"), event("b"), event("x-other"), event("c")));

    assertThat(sums.inserted()).isEqualTo(3);
    assertThat(sums.parked())
        .hasSize(2)
        .allSatisfy(
            parked -> {
              assertThat(parked.sqlState()).isEqualTo("42501");
              assertThat(parked.reason()).contains("policy").doesNotContain("secret");
            });
    assertThat(database.count("SELECT count(*) FROM ingest.parked WHERE last_sqlstate = '42501'"))
        .isEqualTo(2);
  }

  @Test
  void policyAndConstraintInOneChunkAreBothFound() {
    database.execute(
        "ALTER TABLE ingest.event ADD CONSTRAINT small CHECK (business_key NOT LIKE 'y%')");

    StoreDriver.Sums sums =
        store.write(List.of(event("a"), event("y"), event("x"), event("yy"), event("b")));

    assertThat(sums.inserted()).isEqualTo(2);
    assertThat(sums.parked())
        .extracting(parked -> parked.sqlState())
        .containsExactlyInAnyOrder("23514", "23514", "42501");
  }

  @Test
  void privilegeThatIsMissingIsNoEventsFault() {
    List<Event> events = List.of(event("a"), event("x"));
    store.write(List.of(event("before")));
    database.execute("REVOKE INSERT ON ingest.event FROM " + ROLE);
    try {
      StoreFault fault = catchThrowableOfType(StoreFault.class, () -> store.write(events));

      assertThat(fault.kind()).isEqualTo(FaultKind.ENVIRONMENT);
      assertThat(fault.sqlState()).isEqualTo("42501");
    } finally {
      database.execute("GRANT INSERT ON ingest.event TO " + ROLE);
    }
  }

  /** Keys are looked for where no unique index is on them: all of their rows have to be seen. */
  @Test
  void rowsOfKeysThatAreLookedForMayNotBeHidden() {
    database.execute(
        """
        CREATE TABLE ingest.log (id text NOT NULL, at timestamptz NOT NULL) PARTITION BY RANGE (at);
        CREATE TABLE ingest.log_all PARTITION OF ingest.log DEFAULT;
        CREATE INDEX ON ingest.log (id);
        ALTER TABLE ingest.log ENABLE ROW LEVEL SECURITY;
        GRANT SELECT, INSERT ON ingest.log TO %s;
        CREATE POLICY mine ON ingest.log USING (id LIKE 'mine%%');
        """
            .formatted(ROLE));
    TargetMapping mapping =
        StoreDriver.mapping("ingest.log", Map.of("id", "key", "at", "timestamp"));

    assertThat(TargetCheck.problems(asRole(), mapping))
        .singleElement()
        .asString()
        .contains("keys are looked for, and policies of row-level security may hide rows")
        .contains("of ingest.log from SELECT by role " + ROLE);
    assertThat(TargetCheck.problems(database.dataSource(), mapping)).isEmpty();

    database.execute("CREATE POLICY reads ON ingest.log FOR SELECT TO " + ROLE + " USING (true)");
    assertThat(TargetCheck.problems(asRole(), mapping)).isEmpty();
    database.execute(
        "CREATE POLICY never ON ingest.log AS RESTRICTIVE FOR SELECT USING (id <> 'never')");
    assertThat(TargetCheck.problems(asRole(), mapping)).hasSize(1);
  }

  @Test
  void rowsThatTombstonesTakeAwayMayNotBeHidden() {
    TargetMapping mapping =
        TargetMapping.event().with(WriteRules.DEFAULT.with(TombstoneRule.parse("delete")));
    database.execute("GRANT DELETE ON ingest.event TO " + ROLE);

    assertThat(TargetCheck.problems(asRole(), mapping)).isEmpty();
    database.execute(
        "CREATE POLICY kept ON ingest.event AS RESTRICTIVE FOR DELETE USING (business_key <> 'k')");
    try {
      assertThat(TargetCheck.problems(asRole(), mapping))
          .singleElement()
          .asString()
          .startsWith("ingest.tombstone=delete has to find the row of every key, and policies")
          .contains("from DELETE by role " + ROLE);
    } finally {
      database.execute("DROP POLICY kept ON ingest.event");
    }
  }

  private Event event(String key) {
    return store.event(key, "{}");
  }

  private PGSimpleDataSource asRole() {
    PGSimpleDataSource source = database.dataSource();
    source.setUser(ROLE);
    return source;
  }
}
