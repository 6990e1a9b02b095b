package dev.ingest.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private static final String[] CONFIG = {
    "config",
    "--set=ingest.source.topics=orders",
    "--set=ingest.kafka.bootstrap.servers=localhost:9092",
    "--set=ingest.postgres.url=jdbc:postgresql://localhost/app",
    "--set=ingest.postgres.user=app",
    "--set=ingest.postgres.password=hunter2"
  };

  private static final String REFUSED =
      " deletes or marks rows, and verify can't tell a deleted row from a missing one; run it with"
          + " settings that hold the other routes alone.";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  static Set<String> commands() {
    return new RootCommand().commandLine().getSubcommands().keySet();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theCommandThatIsNamedFirstIsBuiltAlone(String command) {
    assertThat(new RootCommand().commandLine(command, "demo").getSubcommands())
        .containsOnlyKeys(command);
    assertThat(new RootCommand().commandLine("--verbose", command).getSubcommands())
        .containsKeys("run", "demo", command);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandExplainsItselfWithExamples(String command) {
    assertThat(run(command, "--help")).isZero();
    assertThat(out.toString()).contains("Usage: ingest " + command, "Examples:", "  ingest ");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void versionIsPrintedByAnyCommand() {
    assertThat(run("--version")).isZero();
    assertThat(run("run", "--version")).isZero();
    assertThat(out.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("ingest "));
  }

  @Test
  void withoutACommandTheUsageIsShown() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).startsWith("Usage: ingest").contains("Exit codes: 0 done, 1 failed");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void unknownCommandIsToldWithThoseThatThereAre() {
    assertThat(run("rnu")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("CONFIG_INVALID: unknown command rnu; use one of run, ")
        .endsWith("See ingest --help." + System.lineSeparator());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--passwrod=hunter2", "hunter2"})
  void wrongUsageDoesNotRepeatWhatMayBeASecret(String argument) {
    assertThat(run("config", "--set", "a=b", argument)).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("CONFIG_INVALID: ").doesNotContain("hunter2");
  }

  @Test
  void wrongSettingsAreOneLineWithoutATrace() {
    assertThat(run("config", "--set", "ingest.batch.max-events=0")).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .startsWith("CONFIG_INVALID: 5 problems. ingest.batch.max-events=0 is below 1");
  }

  @Test
  void workersOfTheCommandLineAreASetting() {
    assertThat(run("run", "--workers", "257")).isEqualTo(2);
    assertThat(err.toString()).contains("ingest.workers=257 is above 256");
  }

  @Test
  void traceIsThereWhenAskedFor() {
    assertThat(run("config", "-v")).isEqualTo(2);
    assertThat(err.toString()).contains("\tat dev.ingest.app.config.Config.load");
  }

  @Test
  void tableNeedsNoSettings() {
    assertThat(run("config", "--table")).isZero();
    assertThat(out.toString()).contains("| `ingest.batch.linger` | `5ms` |");
  }

  @Test
  void configShowsValuesWithTheirOriginAndNoSecret() {
    assertThat(run(CONFIG)).isZero();
    assertThat(out.toString())
        .containsPattern("ingest.source.topics +orders +--set\n")
        .containsPattern("ingest.batch.linger +5ms +default\n")
        .containsPattern("ingest.postgres.password +\\*{8} +--set\n")
        .doesNotContain("hunter2");
  }

  @Test
  void configAsJsonHoldsTheSame() throws IOException {
    String[] arguments = Arrays.copyOf(CONFIG, CONFIG.length + 1);
    arguments[CONFIG.length] = "--json";

    assertThat(run(arguments)).isZero();

    JsonNode settings = new JsonMapper().readTree(out.toString());
    assertThat(StreamSupport.stream(settings.spliterator(), false).map(JsonNode::toString))
        .contains(
            "{\"key\":\"ingest.source.topics\",\"value\":\"orders\",\"from\":\"--set\"}",
            "{\"key\":\"ingest.lock.namespace\",\"value\":null,\"from\":\"unset\"}",
            "{\"key\":\"ingest.postgres.password\",\"value\":\"********\",\"from\":\"--set\"}");
  }

  @Test
  void verifyRefusesARouteThatDeletesAndNamesItsSetting() {
    assertThat(verify("--set=ingest.tombstone=soft-delete(gone)")).isEqualTo(2);
    assertThat(err.toString()).contains("ingest.tombstone=soft-delete(gone)" + REFUSED);

    assertThat(
            verify(
                "--set=ingest.routes.one.topics=orders",
                "--set=ingest.routes.two.topics=orders",
                "--set=ingest.routes.two.tombstone=delete"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("ingest.routes.two.tombstone=delete" + REFUSED);
  }

  private int verify(String... more) {
    String[] arguments = Arrays.copyOf(CONFIG, CONFIG.length + more.length);
    arguments[0] = "verify";
    System.arraycopy(more, 0, arguments, CONFIG.length, more.length);
    return run(arguments);
  }

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }
}
