package dev.ingest.app.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComposeTest {
  /** Of these, Compose v2 and docker-compose 1.29 know all: the Compose specification of 2021. */
  private static final Set<String> TOP_LEVEL = Set.of("services", "volumes", "x-ingest");

  private static final Set<String> SERVICE =
      Set.of(
          "image",
          "restart",
          "depends_on",
          "environment",
          "read_only",
          "tmpfs",
          "cap_drop",
          "security_opt",
          "mem_limit",
          "stop_grace_period",
          "command",
          "ports",
          "volumes",
          "shm_size",
          "healthcheck");

  private final Map<String, Object> compose = DeployFiles.document("compose.yaml");
  private final Map<String, Object> services = DeployFiles.map(compose.get("services"));

  @Test
  void hasKeysThatBothVersionsKnow() {
    assertThat(TOP_LEVEL).containsAll(compose.keySet());
    services.forEach(
        (name, service) ->
            assertThat(SERVICE).as(name).containsAll(DeployFiles.map(service).keySet()));
  }

  @Test
  void portsAreOpenToThisMachineOnly() {
    services.forEach(
        (name, service) -> {
          Object ports = DeployFiles.map(service).getOrDefault("ports", List.of());
          assertThat(DeployFiles.list(ports))
              .as(name)
              .allMatch(port -> ((String) port).startsWith("127.0.0.1:"));
        });
  }

  @Test
  void lockTableHoldsABatch() {
    assertThat(DeployFiles.list(DeployFiles.at(services, "postgres/command")))
        .contains("max_locks_per_transaction=1200");
  }
}
