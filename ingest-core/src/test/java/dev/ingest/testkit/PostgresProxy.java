package dev.ingest.testkit;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bad network in front of PostgreSQL that knows statements by their text. {@code
 * beforeNextCommit(ProxyLink::cut)} loses the request, {@code afterNextCommit(ProxyLink::cut)}
 * loses the reply of a commit that took place. Thread-safe.
 */
public final class PostgresProxy extends TcpProxy {
  /** What happens once, and at which statement. */
  private record Trap(Predicate<String> sql, Consumer<ProxyLink> action) {}

  private final AtomicReference<@Nullable Trap> before = new AtomicReference<>();
  private final AtomicReference<@Nullable Trap> after = new AtomicReference<>();

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
    before.set(new Trap(PostgresWire::isCommit, action));
  }

  /**
   * Runs once, on the proxy's thread, when the server has committed and the client has not seen the
   * reply yet.
   */
  public void afterNextCommit(Consumer<ProxyLink> action) {
    after.set(new Trap(PostgresWire::isCommit, action));
  }

  /** The same for the next statement that holds this text. */
  public void beforeNext(String text, Consumer<ProxyLink> action) {
    before.set(new Trap(sql -> sql.contains(text), action));
  }

  /** The same for the next statement that holds this text. */
  public void afterNext(String text, Consumer<ProxyLink> action) {
    after.set(new Trap(sql -> sql.contains(text), action));
  }

  /** Whether an action still waits for its statement. */
  public boolean isArmed() {
    return before.get() != null || after.get() != null;
  }

  @Override
  Wire wire() {
    return new PostgresWire(
        (link, sql) -> spring(before, link, sql), (link, sql) -> spring(after, link, sql));
  }

  private static void spring(AtomicReference<@Nullable Trap> armed, ProxyLink link, String sql) {
    Trap trap = armed.get();
    if (trap != null && trap.sql.test(sql) && armed.compareAndSet(trap, null)) {
      trap.action.accept(link);
    }
  }
}
