package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunCheckIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(TestDatabase database, String... settings) {
    List<String> arguments = new ArrayList<>(List.of("run", "--check"));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    arguments.addAll(
        List.of(
            "--set",
            "ingest.source.topics=t",
            "--set",
            "ingest.kafka.bootstrap.servers=127.0.0.1:1",
            "--set",
            "ingest.postgres.url=" + database.url(),
            "--set",
            "ingest.postgres.user=" + database.user()));
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), arguments.toArray(String[]::new));
  }

  @Test
  void checkTellsProblemsOfAllRoutesAndReadsNoKafka(TestDatabase database) {
    database.execute("CREATE TABLE fits (id text PRIMARY KEY)");
    database.execute("CREATE TABLE lacks (id text, n integer NOT NULL)");

    int code =
        check(
            database,
            "ingest.target.columns.id=key",
            "ingest.routes.a.target.table=fits",
            "ingest.routes.b.target.table=lacks",
            "ingest.routes.b.target.columns.id=key",
            "ingest.routes.b.target.columns.m=offset");

    assertThat(code).isEqualTo(Main.FOUND_PROBLEMS);
    assertThat(out.toString().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("ingest.routes.b.target.columns.m names no column"))
        .anyMatch(line -> line.contains("add ingest.routes.b.target.columns.n, or"))
        .anyMatch(
            line -> line.startsWith("ingest.routes.b.target.key-columns=id has no unique index"));
  }

  @Test
  void checkOfAMappingThatFitsEndsWithZero(TestDatabase database) {
    database.execute("CREATE TABLE good (id text PRIMARY KEY)");

    int code = check(database, "ingest.target.table=good", "ingest.target.columns.id=key");

    assertThat(code).isZero();
    assertThat(out.toString()).contains("The mapping fits.");
  }
}
