package dev.ingest.app.jobs;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP endpoint on this machine that keeps what it is sent. Thread-safe. */
final class Endpoint implements AutoCloseable {
  /** A request as it came. */
  record Request(String method, Headers headers, byte[] body) {
    String header(String name) {
      return String.valueOf(headers.getFirst(name));
    }
  }

  /** Decides what is answered. */
  interface Answer {
    void to(HttpExchange exchange, Request request) throws IOException;

    static Answer status(int status) {
      return (exchange, request) -> exchange.sendResponseHeaders(status, -1);
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private volatile Answer answer = Answer.status(204);

  Endpoint() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Request request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestHeaders(),
              exchange.getRequestBody().readAllBytes());
      requests.add(request);
      answer.to(exchange, request);
    }
  }

  void answer(Answer changed) {
    answer = changed;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook?a=b");
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
