package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.mapping.WriteRules;
import dev.ingest.mapping.WriteRules.MissingPartition;
import dev.ingest.mapping.WriteRules.Prefilter;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class TargetCheckIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();

  @BeforeEach
  void emptySchema() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
  }

  private static TargetMapping mapping(String table, List<String> keys, String... columns) {
    List<ColumnMapping> mappings = new ArrayList<>();
    for (int i = 0; i < columns.length; i += 2) {
      mappings.add(ColumnMapping.parse(columns[i], columns[i + 1]));
    }
    return new TargetMapping("ingest.target.", table, keys, mappings);
  }

  private List<String> problems(String... columns) {
    return TargetCheck.problems(database.dataSource(), mapping("app.t", List.of(), columns));
  }

  @Test
  void theDefaultTableFits() {
    database.execute("DROP SCHEMA IF EXISTS ingest CASCADE");
    Schema.create(database);

    assertThat(TargetCheck.problems(database.dataSource(), TargetMapping.event())).isEmpty();
  }

  @Test
  void aMappingThatFitsHasNoProblem() {
    database.execute(
        """
        CREATE TABLE app.t (
          id text PRIMARY KEY, n numeric NOT NULL, made timestamptz NOT NULL DEFAULT now(),
          seq bigint GENERATED ALWAYS AS IDENTITY, twice numeric GENERATED ALWAYS AS (n * 2) STORED)
        """);

    assertThat(problems("id", "key", "n", "json:/n")).isEmpty();
  }

  @Test
  void everyProblemIsToldAtOnceWithWhatToChange() {
    database.execute(
        """
        CREATE TABLE app.t (
          id text, n numeric NOT NULL, seq bigint GENERATED ALWAYS AS IDENTITY,
          twice numeric GENERATED ALWAYS AS (n * 2) STORED, cost money, at timestamptz, lo timestamp, cut varchar(2))
        """);

    assertThat(
            problems(
                "id",
                "key",
                "nn",
                "json:/n",
                "seq",
                "offset",
                "twice",
                "json:/t",
                "cost",
                "json:/c",
                "at",
                "json:/at | hex",
                "lo",
                "json:/lo | epoch-ms",
                "cut",
                "constant:abc"))
        .satisfiesExactlyInAnyOrder(
            each ->
                assertThat(each)
                    .isEqualTo(
                        "ingest.target.columns.nn names no column of app.t; it has id, n, seq, twice, cost,"
                            + " at, lo, cut"),
            each ->
                assertThat(each)
                    .startsWith("ingest.target.columns.seq")
                    .contains("leave the setting out"),
            each ->
                assertThat(each)
                    .startsWith("ingest.target.columns.twice")
                    .contains("leave the setting out"),
            each ->
                assertThat(each).startsWith("ingest.target.columns.cost").contains("use numeric"),
            each ->
                assertThat(each)
                    .startsWith("ingest.target.columns.at")
                    .contains("timestamp with time zone"),
            each ->
                assertThat(each).startsWith("ingest.target.columns.lo").contains("add zone=UTC"),
            each ->
                assertThat(each).startsWith("ingest.target.columns.cut").contains("2 characters"),
            each ->
                assertThat(each).startsWith("column n of app.t is NOT NULL").contains("columns.n,"),
            each ->
                assertThat(each)
                    .startsWith("ingest.target.key-columns=id has no unique index")
                    .contains("CREATE UNIQUE INDEX ON app.t (\"id\")"));
  }

  @Test
  void theServerSaysWhichTypeCannotTakeItsSource() {
    database.execute(
        "CREATE TABLE app.t (id text PRIMARY KEY, u uuid, y boolean, p smallint, d jsonb, c uuid)");

    assertThat(
            problems(
                "id",
                "key",
                "u",
                "offset",
                "y",
                "timestamp",
                "p",
                "partition",
                "d",
                "now",
                "c",
                "constant:x"))
        .satisfiesExactly(
            each -> assertThat(each).startsWith("ingest.target.columns.u ").contains("uuid"),
            each -> assertThat(each).startsWith("ingest.target.columns.y ").contains("boolean"),
            each -> assertThat(each).startsWith("ingest.target.columns.d ").contains("jsonb"),
            each ->
                assertThat(each).startsWith("ingest.target.columns.c ").doesNotContain("\"x\""));
  }

  @Test
  void onlyAnIndexThatCanDecideCounts() {
    database.execute(
        """
        CREATE TABLE app.t (id text, at timestamptz, UNIQUE (id, at));
        CREATE UNIQUE INDEX ON app.t (id) WHERE at IS NOT NULL;
        CREATE UNIQUE INDEX ON app.t (lower(id));
        ALTER TABLE app.t ADD CONSTRAINT later UNIQUE (id) DEFERRABLE;
        """);

    WriteRules unlocked = new WriteRules(false, null, Prefilter.AUTO, MissingPartition.PARK);
    assertThat(
            TargetCheck.problems(
                database.dataSource(),
                mapping("app.t", List.of(), "id", "key", "at", "timestamp").with(unlocked)))
        .hasSize(1)
        .first()
        .asString()
        .contains("no unique index");
    assertThat(
            TargetCheck.problems(
                database.dataSource(),
                mapping("app.t", List.of("at", "id"), "id", "key", "at", "timestamp")))
        .isEmpty();
  }

  @Test
  void keyColumnsMustBeNamedAndFilled() {
    database.execute("CREATE TABLE app.t (id text PRIMARY KEY, n numeric)");

    assertThat(problems("id", "json:/id"))
        .containsExactly(
            "ingest.target.key-columns is missing; name the columns that hold the business key");
    assertThat(
            TargetCheck.problems(
                database.dataSource(), mapping("app.t", List.of("n"), "id", "json:/id")))
        .containsExactly(
            "ingest.target.key-columns names n; say with ingest.target.columns.n what fills it");
  }

  @Test
  void aTableThatIsNoneIsNamed() {
    database.execute("CREATE VIEW app.v AS SELECT 'x'::text AS id");

    assertThat(problems("id", "key"))
        .containsExactly(
            "ingest.target.table=app.t is no table that our role can see; create it, or give its name as schema.table");
    assertThat(
            TargetCheck.problems(database.dataSource(), mapping("app.v", List.of(), "id", "key"))
                .get(0))
        .contains("no table but a view");
    assertThat(
            TargetCheck.problems(database.dataSource(), mapping("a.b.c.d", List.of(), "id", "key"))
                .get(0))
        .startsWith("ingest.target.table=a.b.c.d");
  }

  @Test
  void missingPrivilegesAreNamedWithTheirGrant() {
    database.execute("CREATE TABLE app.t (id text PRIMARY KEY, n numeric)");
    String user = database.server().createUser("secret");
    PGSimpleDataSource limited = database.dataSource();
    limited.setUser(user);
    limited.setPassword("secret");
    TargetMapping mapping = mapping("app.t", List.of(), "id", "key", "n", "json:/n");

    List<String> noSchema = TargetCheck.problems(limited, mapping);
    database.execute("GRANT USAGE ON SCHEMA app TO " + user);
    List<String> noTable = TargetCheck.problems(limited, mapping);
    database.execute("GRANT INSERT (id), SELECT (id) ON app.t TO " + user);
    List<String> noColumn = TargetCheck.problems(limited, mapping);
    database.execute("GRANT INSERT (n) ON app.t TO " + user);
    List<String> enough = TargetCheck.problems(limited, mapping);

    assertThat(noSchema).hasSize(1).first().asString().contains("app");
    assertThat(noTable).hasSize(2);
    assertThat(noTable.get(0)).contains("lacks INSERT on columns id, n of app.t; GRANT INSERT");
    assertThat(noTable.get(1)).contains("lacks SELECT on columns id of app.t; GRANT SELECT");
    assertThat(noColumn).hasSize(1).first().asString().contains("lacks INSERT on columns n of");
    assertThat(enough).isEmpty();
    WriteRules deleting = WriteRules.DEFAULT.with(TombstoneRule.parse("delete"));
    assertThat(TargetCheck.problems(limited, mapping.with(deleting)))
        .singleElement()
        .asString()
        .contains("ingest.tombstone=delete needs DELETE on app.t; GRANT DELETE");
    database.execute("GRANT DELETE ON app.t TO " + user);
    assertThat(TargetCheck.problems(limited, mapping.with(deleting))).isEmpty();
  }

  @Test
  void tombstonesThatDeleteNeedAKeyAColumnAndRights() {
    database.execute(
        """
        CREATE TABLE app.t (
          id text, n integer, deleted_at timestamptz, made timestamptz DEFAULT now(), gone boolean,
          UNIQUE (id), UNIQUE (n))
        """);

    assertThat(tombstoneProblems("delete", "id", "key", "n", "json:/n")).isEmpty();
    assertThat(tombstoneProblems("soft-delete(deleted_at)", "id", "key")).isEmpty();
    assertThat(tombstoneProblems("soft-delete(gone)", "id", "key", "n", "json:/n")).isEmpty();
    assertTombstoneProblem("names no column of app.t", "soft-delete(away)", "id", "key");
    assertTombstoneProblem("names a column of type integer", "soft-delete(n)", "id", "key");
    assertTombstoneProblem("new rows are not NULL", "soft-delete(made)", "id", "key");
    assertTombstoneProblem(
        "ingest.target.columns.gone fills", "soft-delete(gone)", "id", "key", "gone", "json:/g");
    WriteRules deleting = WriteRules.DEFAULT.with(TombstoneRule.parse("delete"));
    TargetMapping byPayload = mapping("app.t", List.of("n"), "id", "key", "n", "json:/n");
    assertThat(TargetCheck.problems(database.dataSource(), byPayload.with(deleting)))
        .singleElement()
        .asString()
        .contains("ingest.tombstone=delete")
        .contains("ingest.target.columns.n");
  }

  /**
   * With an index or without: where the text of a key says more than its value, it may not rule.
   */
  @Test
  void tombstonesNeedKeyColumnsWithOneTextForAValue() {
    database.execute("CREATE TABLE app.t (id numeric UNIQUE, kind numeric, UNIQUE (id, kind))");
    assertTombstoneProblem("numeric has several texts for one value", "delete", "id", "key");
    database.execute("ALTER TABLE app.t ALTER COLUMN id TYPE bigint");
    WriteRules deleting = WriteRules.DEFAULT.with(TombstoneRule.parse("delete"));
    TargetMapping one =
        mapping("app.t", List.of("id", "kind"), "id", "key", "kind", "constant:1.0");
    assertThat(TargetCheck.problems(database.dataSource(), one.with(deleting))).isEmpty();
    database.execute(
        """
        CREATE COLLATION app.nd (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        ALTER TABLE app.t ALTER COLUMN id TYPE text COLLATE app.nd;
        """);
    assertTombstoneProblem("use a deterministic one", "delete", "id", "key");
    assertThat(problems("id", "key")).as("the index decides").isEmpty();
  }

  private List<String> tombstoneProblems(String rule, String... columns) {
    return TargetCheck.problems(
        database.dataSource(),
        mapping("app.t", List.of(), columns)
            .with(WriteRules.DEFAULT.with(TombstoneRule.parse(rule))));
  }

  private void assertTombstoneProblem(String problem, String rule, String... columns) {
    assertThat(tombstoneProblems(rule, columns))
        .singleElement()
        .asString()
        .startsWith("ingest.tombstone=" + rule)
        .contains(problem);
  }
}
