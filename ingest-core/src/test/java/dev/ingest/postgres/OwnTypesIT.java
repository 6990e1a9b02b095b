package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Types that no release of PostgreSQL knows by itself: of extensions, of the user, and arrays of
 * them.
 */
class OwnTypesIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();

  @BeforeEach
  void createSchemas() {
    database.execute("DROP SCHEMA IF EXISTS ingest CASCADE; DROP SCHEMA IF EXISTS app CASCADE");
    Schema.create(database);
    database.execute("CREATE SCHEMA app");
  }

  private StoreDriver driver(String... columns) {
    Map<String, String> sources = new LinkedHashMap<>(Map.of("id", "key"));
    for (String column : columns) {
      sources.put(column, "json:/" + column);
    }
    return new StoreDriver(database.dataSource(), StoreDriver.mapping("app.t", sources));
  }

  @Test
  void typesOfExtensionsAndArraysOfOnesOwnTypesTakeTheirValues() {
    database.execute(
        """
        CREATE EXTENSION citext SCHEMA app;
        CREATE TYPE app."Mood" AS ENUM ('fine', 'so-so', 'a,b "c" \\');
        CREATE DOMAIN app.grade AS numeric(3, 1) CHECK (VALUE < 11);
        CREATE TABLE app.t (
          id app.citext PRIMARY KEY, name app.citext DEFAULT 'Nobody', names app.citext[],
          moods app."Mood"[], grid app."Mood"[], grades app.grade[])
        """);
    StoreDriver driver = driver("name", "names", "moods", "grid", "grades");

    StoreDriver.Sums sums =
        driver.write(
            List.of(
                driver.event(
                    "Ada",
                    """
                    {"name":"Löve Lace","names":["A","a",null],"moods":["fine",null,"a,b \\"c\\" \\\\"],
                     "grid":[["fine","so-so"],["so-so","fine"]],"grades":[9.5,10]}"""),
                driver.event("bea", "{\"moods\":[],\"name\":null}"),
                driver.event("label", "{\"moods\":[\"fine\",\"Fine\"]}"),
                driver.event("rounded", "{\"grades\":[9.55]}"),
                driver.event("domain", "{\"grades\":[11]}")));

    assertThat(sums.inserted()).isEqualTo(2);
    assertThat(driver.write(List.of(driver.event("ADA", "{}"))).duplicates()).isOne();
    assertThat(
            database.column(
                "SELECT concat_ws('|', id, coalesce(name, '-'), names, moods, grid, grades) FROM app.t ORDER BY 1"))
        .containsExactly(
            "Ada|Löve Lace|{A,a,NULL}|{fine,NULL,\"a,b \\\"c\\\" \\\\\"}"
                + "|{{fine,so-so},{so-so,fine}}|{9.5,10.0}",
            "bea|-|{}");
    assertThat(sums.parked())
        .extracting(each -> new String(each.event().key(), UTF_8) + " " + each.sqlState())
        .containsExactlyInAnyOrder("label 22P02", "rounded 22003", "domain 23514");
  }

  /** Elements are altered as columns of their type would be. */
  @Test
  void arraysOfTypesThatAlterValuesAreRefused() {
    database.execute("CREATE TABLE app.t (id text PRIMARY KEY, names name[])");

    assertThat(
            TargetCheck.problems(
                database.dataSource(),
                StoreDriver.mapping("app.t", Map.of("id", "key", "names", "json:/names"))))
        .singleElement()
        .asString()
        .contains("name cuts texts off after 63 bytes");
  }

  /** Its input function would cut and round what is in it. */
  @Test
  void rowTypeWhoseFieldsAlterValuesIsRefused() {
    database.execute(
        """
        CREATE DOMAIN app.cents AS numeric(6, 2);
        CREATE TYPE app.price AS (amount app.cents, currency text);
        CREATE TYPE app.item AS (no bigint, prices app.price[]);
        CREATE TYPE app.fine AS (no bigint, amount numeric, at timestamptz(6), tags text[]);
        CREATE TABLE app.t (id text PRIMARY KEY, item app.item, items app.item[], fine app.fine[]);
        """);

    assertThat(
            TargetCheck.problems(
                database.dataSource(),
                StoreDriver.mapping(
                    "app.t",
                    Map.of(
                        "id", "key", "item", "json:/item", "items", "json:/x", "fine", "json:/f"))))
        .hasSize(2)
        .allSatisfy(
            problem ->
                assertThat(problem)
                    .contains(
                        "alters values: its field prices.amount numeric(6,2) cuts or rounds"));
  }
}
