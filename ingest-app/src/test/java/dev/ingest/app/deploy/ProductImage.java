package dev.ingest.app.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.DockerImageName;

/** The program's own image, as {@code deploy/docker/build} makes it from the archive. Immutable. */
record ProductImage(String tag) {
  /** The image's own check, every second. */
  private static final HealthCheck OFTEN =
      new HealthCheck().withInterval(TimeUnit.SECONDS.toNanos(1));

  /** Builds it; layers that are as before are taken from the engine's cache. */
  static ProductImage build(String tag) {
    docker(
        List.of(
            DeployFiles.ROOT.resolve("docker").resolve("build").toAbsolutePath().toString(), tag));
    return new ProductImage(tag);
  }

  /** The same under another name. */
  ProductImage tagged(String other) {
    docker(List.of("docker", "tag", tag, other));
    return new ProductImage(other);
  }

  /** Bytes of each layer and what made it, the last one first. */
  List<String> layers() {
    return docker(
            List.of(
                "docker",
                "history",
                "--human=false",
                "--no-trunc",
                "--format",
                "{{.Size}} {{.CreatedBy}}",
                tag))
        .output()
        .lines()
        .toList();
  }

  /**
   * A container of {@code run}, as locked up as in {@code compose.yaml}: nothing to write but a
   * {@code /tmp}, no capability. Not started yet.
   */
  GenericContainer<?> replica(Network network, Map<String, String> environment) {
    return new GenericContainer<>(DockerImageName.parse(tag))
        .withNetwork(network)
        .withEnv(environment)
        .withCreateContainerCmdModifier(
            create ->
                Objects.requireNonNull(create.withHealthcheck(OFTEN).getHostConfig())
                    .withReadonlyRootfs(true)
                    .withTmpFs(Map.of("/tmp", "exec,size=64m"))
                    .withMemory(512L << 20)
                    .withCapDrop(Capability.ALL));
  }

  /** Runs another command of the program to its end, with a file on its standard input. */
  Ended command(
      Network network, Map<String, String> environment, String input, String... arguments) {
    List<String> command =
        new ArrayList<>(List.of("docker", "run", "--rm", "-i", "--read-only", "--tmpfs"));
    command.addAll(List.of("/tmp:exec,size=64m", "--cap-drop=ALL", "--memory=512m"));
    command.addAll(List.of("--network", network.getId()));
    environment.forEach((name, value) -> command.addAll(List.of("-e", name + "=" + value)));
    command.add(tag);
    command.addAll(List.of(arguments));
    return process(command, input);
  }

  private static Ended docker(List<String> command) {
    Ended ended = process(command, "");
    if (ended.exitCode() != 0) {
      throw new IllegalStateException(command + " failed:\n" + ended.output());
    }
    return ended;
  }

  private static Ended process(List<String> command, String input) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (var standardInput = process.getOutputStream()) {
        standardInput.write(input.getBytes(UTF_8));
      }
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Ended(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException("can't run " + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /**
   * A command that ran.
   *
   * @param output standard output and standard error
   */
  record Ended(int exitCode, String output) {}
}
