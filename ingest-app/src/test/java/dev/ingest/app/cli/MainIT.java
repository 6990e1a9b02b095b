package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(PostgresExtension.class)
class MainIT {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void migrateShowsThenMakesTheSchemaThenFindsNothingToDo(TestDatabase database)
      throws IOException {
    Path file =
        write(
            """
            ingest:
              postgres:
                url: %s
                user: %s
            """
                .formatted(database.url(), database.user()));

    assertThat(run("migrate", "--config", file.toString(), "--dry-run")).isZero();
    assertThat(out.toString()).startsWith("CREATE SCHEMA ingest;").contains("CREATE TABLE");
    assertThat(database.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'ingest'"))
        .isZero();

    out.getBuffer().setLength(0);
    assertThat(run("migrate", "--config", file.toString())).isZero();
    assertThat(out.toString()).contains("schema ingest ready: version=");
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isZero();

    out.getBuffer().setLength(0);
    assertThat(run("migrate", "--config", file.toString(), "--dry-run")).isZero();
    assertThat(out.toString()).startsWith("-- Nothing to do");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void settingsOfAFileAreShownWithTheirLineAndSecretsOfAFileMasked() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "hunter2\n");
    Path file =
        write(
            """
            ingest.source.topics: [a, b]
            ingest.kafka.bootstrap.servers: localhost:9092
            ingest.kafka.ssl.key.password-file: %1$s
            ingest.postgres: {url: "jdbc:postgresql:x", user: u, password-file: "%1$s"}
            """
                .formatted(secret));

    assertThat(run("config", "--config", file.toString())).isZero();

    assertThat(out.toString())
        .containsPattern("ingest.source.topics +a,b +.*settings.yaml:1\n")
        .containsPattern("ingest.postgres.password +\\*{8} +ingest.postgres.password-file\n")
        .containsPattern(
            "ingest.kafka.ssl.key.password +\\*{8} +ingest.kafka.ssl.key.password-file\n")
        .doesNotContain("hunter2");
  }

  @Test
  void secretGivenTwiceOrNotReadableIsAProblem() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty"), "\n");
    Path file =
        write(
            """
            ingest.postgres: {url: "jdbc:postgresql:x", user: u, password: hunter2, password-file: gone}
            ingest.kafka.ssl.key.password-file: gone
            ingest.kafka.ssl.keystore.password-file: %s
            """
                .formatted(empty));

    assertThat(run("migrate", "--config", file.toString())).isEqualTo(2);

    assertThat(err.toString())
        .startsWith("CONFIG_INVALID: 3 problems.")
        .contains(
            "ingest.postgres.password and ingest.postgres.password-file are both set; keep one.")
        .contains("ingest.kafka.ssl.key.password-file=gone cannot be read (NoSuchFileException)")
        .contains(empty + " is empty; write the secret into it")
        .doesNotContain("hunter2");
  }

  @Test
  void fileThatIsNotThereOrNoTextIsAProblem() throws IOException {
    assertThat(run("migrate", "--config", directory.resolve("gone.yaml").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("gone.yaml cannot be read (NoSuchFileException)");

    Path latin = directory.resolve("latin.yaml");
    Files.write(latin, "ingest.postgres.user: J\u00f6rg".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(run("migrate", "--config", latin.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("latin.yaml is no valid YAML; save it as UTF-8");
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(directory.resolve("settings.yaml"), yaml);
  }

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }
}
