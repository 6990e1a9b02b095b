package dev.ingest.app.http;

import dev.ingest.app.config.HttpSettings;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves health, metrics and console. The port is taken at once, so that a port in use is known
 * before anything starts. The rest takes about a second of processor time, so it starts on a thread
 * of its own, with the first request or a moment later; requests wait for it. Close from any
 * thread; idempotent.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  /** The processor is left to the consumers' start this long, unless somebody asks before. */
  private static final Duration QUIET_START = Duration.ofSeconds(3);

  private static final int MAX_THREADS = 10;
  private static final int MIN_THREADS = 2;

  private final ServerSocketChannel socket;
  private final URI address;
  private final Routes routes;
  private final Thread starter;

  // guarded by this
  private @Nullable Javalin javalin;
  private boolean closed;

  private HttpServer(ServerSocketChannel socket, URI address, Routes routes) {
    this.socket = socket;
    this.address = address;
    this.routes = routes;
    this.starter = new Thread(this::startServing, "http-start");
    this.starter.setDaemon(true);
  }

  /**
   * Takes the port and begins to serve.
   *
   * @throws IngestException {@code CONFIG_INVALID} where the address can't be taken
   */
  public static HttpServer start(HttpSettings settings, Routes routes) {
    ServerSocketChannel socket = bind(settings);
    HttpServer server =
        new HttpServer(socket, URI.create(address(settings.host(), port(socket))), routes);
    server.starter.start();
    return server;
  }

  private static ServerSocketChannel bind(HttpSettings settings) {
    ServerSocketChannel socket = null;
    try {
      socket = ServerSocketChannel.open();
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      socket.bind(new InetSocketAddress(settings.host(), settings.port()));
      return socket;
    } catch (IOException | RuntimeException refused) {
      close(socket);
      throw new IngestException(
          Code.CONFIG_INVALID,
          "can't serve on ingest.http.host="
              + settings.host()
              + " ingest.http.port="
              + settings.port()
              + ": "
              + refused.getClass().getSimpleName()
              + ". Choose an address of this machine and a port that is not taken; 0 takes a free one.",
          refused);
    }
  }

  private static int port(ServerSocketChannel socket) {
    return socket.socket().getLocalPort();
  }

  private static String address(String host, int port) {
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** The port that is served, also where a free one was asked for. */
  public int port() {
    return address.getPort();
  }

  /** Where a browser finds the console. */
  public URI address() {
    return address;
  }

  private void startServing() {
    try {
      awaitFirstRequest();
      synchronized (this) {
        if (!closed) {
          javalin = Javalin.create(this::configure).start();
        }
      }
    } catch (IOException | RuntimeException refused) {
      if (!isClosed()) {
        LOG.error(
            "http failed: address={} cause={}. Ingesting goes on without health and metrics; start"
                + " again.",
            address,
            refused.toString());
        LOG.debug("the cause", refused);
      }
    }
  }

  private void awaitFirstRequest() throws IOException {
    try (Selector selector = Selector.open()) {
      socket.configureBlocking(false);
      socket.register(selector, SelectionKey.OP_ACCEPT);
      selector.select(QUIET_START.toMillis());
    }
    socket.configureBlocking(true);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.jetty.threadPool = threads();
    config.jetty.addConnector(this::connector);
    routes.addTo(config.routes);
  }

  private static QueuedThreadPool threads() {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("http");
    threads.setDaemon(true);
    return threads;
  }

  private Connector connector(Server server, HttpConfiguration http) {
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    try {
      connector.open(socket);
      return connector;
    } catch (IOException gone) {
      throw new IngestException(Code.INTERNAL, "the port taken is gone, address=" + address, gone);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      if (javalin != null) {
        javalin.stop();
      }
    }
    routes.close();
    close(socket);
  }

  private static void close(@Nullable ServerSocketChannel socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException gone) {
      LOG.debug("closing the port", gone);
    }
  }
}
