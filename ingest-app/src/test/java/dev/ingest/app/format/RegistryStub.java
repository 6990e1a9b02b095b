package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A schema registry with the public REST interface that serializers and deserializers use, and with
 * faults on demand. Thread-safe.
 */
public final class RegistryStub implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<Integer, Map<String, Object>> schemas = new ConcurrentHashMap<>();
  private final Map<String, Integer> versions = new ConcurrentHashMap<>();
  private final AtomicInteger questions = new AtomicInteger();

  private volatile int status = 200;
  private volatile boolean silent;
  private volatile boolean endless;
  private volatile @Nullable String authorization;

  /** Another schema that a schema uses. */
  public record Use(String name, String subject, int version) {}

  private RegistryStub(HttpServer server) {
    this.server = server;
  }

  /** Starts on a free port of this machine. */
  public static RegistryStub start() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      RegistryStub stub = new RegistryStub(server);
      server.setExecutor(stub.threads);
      server.createContext("/", stub::answer);
      server.start();
      return stub;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  public void register(int id, String type, String schema, Use... uses) {
    Map<String, Object> body = new LinkedHashMap<>();
    if (!type.equals("AVRO")) {
      body.put("schemaType", type); // the interface leaves the default out
    }
    body.put("schema", schema);
    if (uses.length > 0) {
      body.put("references", List.of(uses));
    }
    schemas.put(id, body);
  }

  public void version(String subject, int version, int id) {
    versions.put(subject + "/" + version, id);
  }

  /** Answers everything with this status; 200 answers as it should. */
  public void status(int given) {
    status = given;
  }

  /** Sends headers and then nothing more. */
  public void silent(boolean given) {
    silent = given;
  }

  /** Sends a body without end. */
  public void endless(boolean given) {
    endless = given;
  }

  /** Requires this value of the header. */
  public void authorization(String given) {
    authorization = given;
  }

  public int questions() {
    return questions.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    questions.incrementAndGet();
    try (exchange) {
      String given = exchange.getRequestHeaders().getFirst("Authorization");
      if (authorization != null && !authorization.equals(given)) {
        send(exchange, 401, Map.of("error_code", 401, "message", "Unauthorized"));
      } else if (status != 200) {
        send(exchange, status, "<html>down</html>");
      } else if (silent) {
        exchange.sendResponseHeaders(200, 100);
        exchange.getResponseBody().flush();
        closed.await();
      } else if (endless) {
        flood(exchange);
      } else {
        find(exchange);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void flood(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    byte[] part = new byte[1 << 16];
    while (true) {
      exchange.getResponseBody().write(part);
    }
  }

  private void find(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getRawPath().split("/", -1);
    if (path[1].equals("schemas")) {
      Map<String, Object> found = schemas.get(Integer.parseInt(path[3]));
      boolean serialized = "format=serialized".equals(exchange.getRequestURI().getRawQuery());
      send(
          exchange,
          found == null || !serialized ? 404 : 200,
          found == null ? Map.of("error_code", 40403, "message", "Schema not found") : found);
      return;
    }
    Integer id = versions.get(URLDecoder.decode(path[2], UTF_8) + "/" + path[4]);
    send(
        exchange,
        id == null ? 404 : 200,
        id == null
            ? Map.of("error_code", 40402, "message", "Version not found")
            : Map.of("id", id));
  }

  private static void send(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes =
        body instanceof String text ? text.getBytes(UTF_8) : JSON.writeValueAsBytes(body);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
