package dev.ingest.app.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** systemd's own opinion of the unit; skipped on systems that have no systemd-analyze. */
@EnabledIf("systemd")
class SystemdUnitIT {
  /** Of 100, where 0 is the safest; what it had when it was written, and a little more. */
  private static final String MOST_EXPOSED = "17";

  static boolean systemd() {
    return Files.isExecutable(Path.of("/usr/bin/systemd-analyze"));
  }

  @Test
  void unitIsValid(@TempDir Path directory) throws IOException, InterruptedException {
    String unit = DeployFiles.text("systemd/ingest.service");
    // The program is not installed where the tests run.
    Path copy =
        Files.writeString(
            directory.resolve("ingest.service"), unit.replace("/opt/ingest/bin/ingest", "/bin/sh"));

    assertThat(run("verify", "--man=no", copy.toString())).isEqualTo("exit code 0\n");
  }

  @Test
  void unitIsHardened() throws IOException, InterruptedException {
    String verdict =
        run(
            "security",
            "--offline=true",
            "--no-pager",
            "--threshold=" + MOST_EXPOSED,
            DeployFiles.ROOT.resolve("systemd/ingest.service").toRealPath().toString());

    System.out.println(verdict.lines().filter(line -> line.contains("Overall")).toList());
    assertThat(verdict).contains("exit code 0");
  }

  private static String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("systemd-analyze"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return output + "exit code " + process.waitFor() + "\n";
  }
}
