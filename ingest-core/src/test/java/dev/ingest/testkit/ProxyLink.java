package dev.ingest.testkit;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** One client connection through a {@link TcpProxy}. Thread-safe. */
public final class ProxyLink {
  private final TcpProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Wire wire;
  private final Object monitor = new Object();
  // Guarded by the monitor.
  private boolean frozen;
  private boolean closed;

  ProxyLink(TcpProxy proxy, Socket client, Socket server, Wire wire) {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    this.wire = wire;
  }

  void start() {
    TcpProxy.daemon("proxy-to-server-" + client.getPort(), () -> pump(true));
    TcpProxy.daemon("proxy-to-client-" + client.getPort(), () -> pump(false));
  }

  /** Resets the connection on both sides; what was on its way is lost. */
  public void cut() {
    synchronized (monitor) {
      closed = true;
      monitor.notifyAll();
    }
    proxy.closed(this);
    reset(client);
    reset(server);
  }

  /** Nothing arrives and nothing closes until {@link #thaw}. */
  public void freeze() {
    synchronized (monitor) {
      frozen = true;
    }
  }

  /** Delivers what waited. */
  public void thaw() {
    synchronized (monitor) {
      frozen = false;
      monitor.notifyAll();
    }
  }

  /** Closes with a reset rather than an orderly end. */
  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // already closed
    }
  }

  /** Sends a byte to the client that the server never said. */
  void answer(byte reply) throws IOException {
    client.getOutputStream().write(reply);
  }

  private void pump(boolean fromClient) {
    Socket from = fromClient ? client : server;
    Socket to = fromClient ? server : client;
    try {
      InputStream in = new BufferedInputStream(from.getInputStream());
      byte[] piece = wire.next(this, fromClient, in);
      while (piece.length > 0) {
        awaitPassage();
        to.getOutputStream().write(piece);
        piece = wire.next(this, fromClient, in);
      }
      awaitPassage();
      to.shutdownOutput();
      finish();
    } catch (IOException e) {
      cut();
    }
  }

  /** The link ends when both directions did. */
  private void finish() throws IOException {
    if (client.isOutputShutdown() && server.isOutputShutdown()) {
      proxy.closed(this);
      client.close();
      server.close();
    }
  }

  /** Waits for the delay, and while the link is frozen. */
  private void awaitPassage() throws IOException {
    long start = System.nanoTime();
    synchronized (monitor) {
      try {
        long left = proxy.delay().toNanos();
        while (!closed && (frozen || left > 0)) {
          monitor.wait(frozen ? 0 : left / 1_000_000 + 1);
          left = proxy.delay().toNanos() - (System.nanoTime() - start);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      if (closed) {
        throw new IOException("cut");
      }
    }
  }
}
