package dev.ingest.testkit;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bad network in front of PostgreSQL that knows what a COMMIT looks like. {@code
 * beforeNextCommit(ProxyLink::cut)} loses the request, {@code afterNextCommit(ProxyLink::cut)}
 * loses the reply of a commit that took place. Thread-safe.
 */
public final class PostgresProxy extends TcpProxy {
  private final AtomicReference<@Nullable Consumer<ProxyLink>> beforeCommit =
      new AtomicReference<>();
  private final AtomicReference<@Nullable Consumer<ProxyLink>> afterCommit =
      new AtomicReference<>();

  private PostgresProxy(int target) {
    super(target);
  }

  /** A proxy in front of this server. Connections through it are not encrypted. */
  public static PostgresProxy to(PostgresServer server) {
    return new PostgresProxy(server.port());
  }

  /**
   * Runs once, on the proxy's thread, when a client sends COMMIT and the server has not seen it
   * yet.
   */
  public void beforeNextCommit(Consumer<ProxyLink> action) {
    beforeCommit.set(action);
  }

  /**
   * Runs once, on the proxy's thread, when the server has committed and the client has not seen the
   * reply yet.
   */
  public void afterNextCommit(Consumer<ProxyLink> action) {
    afterCommit.set(action);
  }

  /** Whether a {@code beforeNextCommit} or {@code afterNextCommit} still waits for its COMMIT. */
  public boolean isArmed() {
    return beforeCommit.get() != null || afterCommit.get() != null;
  }

  @Override
  Wire wire() {
    return new PostgresWire(link -> run(beforeCommit, link), link -> run(afterCommit, link));
  }

  private static void run(AtomicReference<@Nullable Consumer<ProxyLink>> armed, ProxyLink link) {
    Consumer<ProxyLink> action = armed.getAndSet(null);
    if (action != null) {
      action.accept(link);
    }
  }
}
