package dev.ingest.app.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that the files in {@code deploy} make are accepted by the program, names and values. */
class SettingsInDeployTest {
  private static final Pattern ASSIGNED = Pattern.compile("(INGEST_[A-Z0-9_]+)=(\\S+)");

  /** Every one of them needs these and leaves them to a secret or to ingest.yaml. */
  private static final Map<String, String> LEFT_OPEN =
      Map.of(
          "INGEST_POSTGRES_USER", "somebody",
          "INGEST_SOURCE_TOPICS", "events",
          "INGEST_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092",
          "INGEST_POSTGRES_URL", "jdbc:postgresql://postgres/ingest");

  @TempDir private Path directory;

  @Test
  void deploymentAndJob() throws IOException {
    for (String file : List.of("deployment", "migrate")) {
      Map<String, Object> object = DeployFiles.document("kubernetes/base/" + file + ".yaml");
      assertLoads(settingsFile("base/configmap"), environment(object));
      assertLoads(settingsFile("overlays/example/settings"), environment(object));
    }
  }

  @Test
  void compose() throws IOException {
    Map<String, Object> services =
        DeployFiles.map(DeployFiles.document("compose.yaml").get("services"));
    Map<String, String> environment = new HashMap<>();
    DeployFiles.map(DeployFiles.at(services, "ingest-1/environment"))
        .forEach((name, value) -> environment.put(name, value.toString()));

    assertLoads(Files.createFile(directory.resolve("empty.yaml")), environment);
    assertThat(services.get("ingest-2")).extracting("image").isNotNull();
  }

  @Test
  void imageAndUnit() throws IOException {
    for (String file : List.of("docker/Dockerfile", "systemd/ingest.service")) {
      Map<String, String> environment = new HashMap<>(LEFT_OPEN);
      Matcher assigned = ASSIGNED.matcher(DeployFiles.text(file));
      while (assigned.find()) {
        environment.put(assigned.group(1), assigned.group(2));
      }
      assertThat(environment.keySet()).as(file).hasSizeGreaterThan(LEFT_OPEN.size());
      assertLoads(Files.writeString(directory.resolve("none.yaml"), "", UTF_8), environment);
    }
  }

  private void assertLoads(Path settings, Map<String, String> environment) throws IOException {
    Map<String, String> readable = new HashMap<>(environment);
    Path password = Files.writeString(directory.resolve("password"), "secret", UTF_8);
    readable.computeIfPresent(
        "INGEST_POSTGRES_PASSWORD_FILE", (name, value) -> password.toString());

    Config config =
        Config.load(
            new SettingSources(settings, true, readable, List.of()), EnumSet.allOf(Concern.class));

    assertThat(config.postgres()).isNotNull();
  }

  private Path settingsFile(String configMap) throws IOException {
    Object text =
        DeployFiles.map(DeployFiles.document("kubernetes/" + configMap + ".yaml").get("data"))
            .get("ingest.yaml");
    return Files.writeString(directory.resolve("ingest.yaml"), (String) text, UTF_8);
  }

  private static Map<String, String> environment(Map<String, Object> object) {
    Map<String, String> environment = new HashMap<>();
    Object variables = DeployFiles.at(object, "spec/template/spec/containers/0/env");
    for (Object each : DeployFiles.list(variables)) {
      Map<String, Object> variable = DeployFiles.map(each);
      environment.put(
          (String) variable.get("name"), variable.getOrDefault("value", "from-elsewhere") + "");
    }
    return environment;
  }
}
