package dev.ingest.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A bad network between a client and a server, both on the loopback. Every control takes effect on
 * open and on new connections alike. Thread-safe; each connection has two daemon threads of its
 * own.
 */
public class TcpProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
  private volatile int target;
  private volatile boolean refusing;
  private volatile boolean frozen;
  private volatile Duration delay = Duration.ZERO;

  TcpProxy(int target) {
    this.target = target;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("No free loopback port", e);
    }
    daemon("proxy-" + listener.getLocalPort(), this::acceptAll);
  }

  /** A proxy in front of a loopback port. */
  public static TcpProxy to(int port) {
    return new TcpProxy(port);
  }

  /** Where clients connect, on 127.0.0.1. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Sends connections made from now on to another loopback port, as a failover does. */
  public void forwardTo(int port) {
    target = port;
  }

  /** Connections that are open now. */
  public int connections() {
    return links.size();
  }

  /** Resets all open connections. New ones are served. */
  public void cut() {
    links.forEach(ProxyLink::cut);
  }

  /** Resets all open connections, and new ones at once, until {@link #accept}. */
  public void refuse() {
    refusing = true;
    cut();
  }

  public void accept() {
    refusing = false;
  }

  /** Nothing arrives and nothing closes, as when packets are dropped, until {@link #thaw}. */
  public void freeze() {
    frozen = true;
    links.forEach(ProxyLink::freeze);
  }

  /** Delivers what waited. Links that a test froze one by one thaw too. */
  public void thaw() {
    frozen = false;
    links.forEach(ProxyLink::thaw);
  }

  /** Every piece of bytes arrives this much later, in both directions. */
  public void delay(Duration delay) {
    this.delay = delay;
  }

  /** Ends the proxy and resets its connections. */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      cut();
    }
  }

  /** How the bytes of one connection are cut into pieces; one object for each connection. */
  Wire wire() {
    return Wire.RAW;
  }

  Duration delay() {
    return delay;
  }

  void closed(ProxyLink link) {
    links.remove(link);
  }

  static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        serve(listener.accept());
      } catch (IOException e) {
        // The listener was closed, or this client or the server went away: the next one is served.
      }
    }
  }

  private void serve(Socket client) throws IOException {
    try {
      if (refusing) {
        throw new IOException("refused");
      }
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      ProxyLink link = new ProxyLink(this, client, server, wire());
      links.add(link);
      if (frozen) {
        link.freeze();
      }
      link.start();
    } catch (IOException e) {
      ProxyLink.reset(client);
      throw e;
    }
  }
}
