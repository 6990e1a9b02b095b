package dev.ingest.testkit;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A container with one port on the loopback, which it keeps over restarts, as it keeps its files.
 * Removed with the JVM at the latest. One thread at a time.
 */
final class LocalContainer {
  private static final int STOP_SECONDS = 30;

  private final GenericContainer<?> container;
  private boolean created;

  /**
   * @param port on the loopback
   * @param containerPort that it leads to
   */
  LocalContainer(
      String image,
      int port,
      int containerPort,
      Map<String, String> environment,
      String... command) {
    container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withEnv(environment)
            .withCommand(command)
            .withCreateContainerCmdModifier(
                create -> {
                  ExposedPort inside = ExposedPort.tcp(containerPort);
                  create.withExposedPorts(inside);
                  Objects.requireNonNull(create.getHostConfig())
                      .withPortBindings(
                          List.of(
                              new PortBinding(
                                  Ports.Binding.bindIpAndPort("127.0.0.1", port), inside)));
                });
  }

  /** Before the first start: a file that everyone in it may read. */
  void add(String path, String text) {
    container.withCopyToContainer(Transferable.of(text, 0644), path);
  }

  /** Makes and starts it, or starts it again. The program in it may need longer. */
  void start() {
    if (created) {
      docker().startContainerCmd(container.getContainerId()).exec();
    } else {
      container.start();
      created = true;
    }
  }

  /** Asks its program to end, and waits until it has. */
  void stop() {
    docker().stopContainerCmd(container.getContainerId()).withTimeout(STOP_SECONDS).exec();
  }

  /** SIGKILL to all its processes. */
  void kill9() {
    docker().killContainerCmd(container.getContainerId()).exec();
    docker()
        .waitContainerCmd(container.getContainerId())
        .exec(new WaitContainerResultCallback())
        .awaitStatusCode();
  }

  boolean isRunning() {
    return created && Boolean.TRUE.equals(state().getRunning());
  }

  /** Of its first process, as this machine counts. */
  long pid() {
    return Objects.requireNonNull(state().getPidLong());
  }

  String log() {
    return container.getLogs();
  }

  private ContainerState state() {
    return docker().inspectContainerCmd(container.getContainerId()).exec().getState();
  }

  private static DockerClient docker() {
    return DockerClientFactory.instance().client();
  }
}
