package dev.ingest.app.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ingest.app.config.JobSettings;
import dev.ingest.app.config.KafkaSettings;
import dev.ingest.app.config.Secret;
import dev.ingest.queue.JobEvents;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.NewJob;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls of an HTTP endpoint, through the queue. */
class HttpCallIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Secret SECRET = new Secret("hush");

  private final TestDatabase database = POSTGRES.database();
  private Endpoint endpoint;

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
  }

  @BeforeEach
  void open() {
    database.execute("TRUNCATE ingest.job, ingest.job_done");
    endpoint = new Endpoint();
  }

  @AfterEach
  void close() {
    endpoint.close();
  }

  private JobSettings job(Duration timeout, int perHost) {
    return job("tell", endpoint.url(), timeout, perHost);
  }

  private static JobSettings job(String name, URI url, Duration timeout, int perHost) {
    return new JobSettings(
        name,
        List.of(),
        new JobSettings.Call(url, SECRET, timeout, perHost, "application/json"),
        Duration.ofMinutes(1),
        5);
  }

  private JobsAtWork start(int threads, JobSettings... jobs) {
    return JobsAtWork.start(
        database.dataSource(),
        new KafkaSettings(new TreeMap<>()),
        List.of(jobs),
        threads,
        Duration.ofSeconds(5),
        JobEvents.NONE);
  }

  private void enqueue(String queue, int jobs) throws SQLException {
    try (Connection connection = database.connect()) {
      new JobQueue()
          .enqueue(
              connection,
              IntStream.range(0, jobs)
                  .mapToObj(
                      i ->
                          NewJob.of(queue)
                              .text("{\"id\": " + i + "}")
                              .maxAttempts(5)
                              .attribute("key", "k\n∆ " + i)
                              .attribute("source", "orders-0@" + i))
                  .toList());
    }
  }

  private long count(String condition) {
    return database.count("SELECT count(*) FROM ingest.job WHERE " + condition);
  }

  private long done() {
    return database.count("SELECT count(*) FROM ingest.job_done");
  }

  @Test
  void anEventArrivesSignedWithAllThatIsKnownOfIt() throws SQLException {
    enqueue("tell", 1);

    try (JobsAtWork working = start(1, job(SOON, 1))) {
      await().atMost(SOON).until(() -> done() == 1);
      working.wake("tell");
    }

    Endpoint.Request request = endpoint.requests().get(0);
    assertThat(request.method()).isEqualTo("POST");
    assertThat(new String(request.body(), UTF_8)).isEqualTo("{\"id\": 0}");
    assertThat(request.header("Content-Type")).isEqualTo("application/json");
    assertThat(request.header("Ingest-Key")).isEqualTo("k%0A%E2%88%86+0");
    assertThat(request.header("Ingest-Source")).isEqualTo("orders-0%400");
    assertThat(request.header("Ingest-Attempt")).isEqualTo("1");
    long timestamp = Long.parseLong(request.header("Ingest-Timestamp"));
    assertThat(Instant.ofEpochSecond(timestamp))
        .isBetween(Instant.now().minus(SOON), Instant.now());
    assertThat(request.header("Ingest-Signature"))
        .isEqualTo(new Signature(SECRET).of(timestamp, request.body()));
  }

  @Test
  void faultsOfTheServerAreTriedAgainNotBeforeItAllows() throws SQLException {
    AtomicInteger calls = new AtomicInteger();
    endpoint.answer(
        (exchange, request) -> {
          exchange.getResponseHeaders().add("Retry-After", "3600");
          exchange.sendResponseHeaders(calls.getAndIncrement() == 0 ? 503 : 429, -1);
        });
    enqueue("tell", 2);

    try (JobsAtWork working = start(1, job(SOON, 1))) {
      await().atMost(SOON).until(() -> count("attempts = 1 AND last_error LIKE 'status=%'") == 2);
      working.wake("tell");
    }

    assertThat(count("status = 'waiting' AND run_at > now() + interval '50 minutes'")).isEqualTo(2);
  }

  @Test
  void whatTheServerRefusesAndRedirectsAreNotTriedAgain() throws SQLException {
    endpoint.answer(
        (exchange, request) -> {
          boolean first = request.header("Ingest-Source").endsWith("0");
          exchange.getResponseHeaders().add("Location", endpoint.url() + "/elsewhere");
          exchange.sendResponseHeaders(first ? 422 : 307, -1);
        });
    enqueue("tell", 2);

    try (JobsAtWork working = start(2, job(SOON, 2))) {
      await().atMost(SOON).until(() -> count("status = 'failed'") == 2);
      working.wake("tell");
    }

    assertThat(database.column("SELECT last_error FROM ingest.job ORDER BY 1"))
        .containsExactly("status=307", "status=422");
    assertThat(endpoint.requests()).hasSize(2);
  }

  @Test
  void anAnswerThatNeverEndsIsGivenUpInTime() throws SQLException {
    CountDownLatch over = new CountDownLatch(1);
    endpoint.answer(
        (exchange, request) -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          awaitLatch(over);
        });
    enqueue("tell", 1);

    try (JobsAtWork working = start(1, job(Duration.ofMillis(300), 1))) {
      await().atMost(SOON).until(() -> count("attempts = 1 AND last_error IS NOT NULL") == 1);
      working.wake("tell");
    } finally {
      over.countDown();
    }

    assertThat(database.column("SELECT last_error FROM ingest.job").toString())
        .contains("no answer in 300 ms");
  }

  @Test
  void aHostGetsNoMoreRequestsAtOnceThanAllowedWhicheverJobsTheyAreFor() throws SQLException {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    endpoint.answer(
        (exchange, request) -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          awaitLatch(new CountDownLatch(1), 30);
          now.decrementAndGet();
          exchange.sendResponseHeaders(200, -1);
        });
    enqueue("tell", 30);
    enqueue("tell-too", 30);

    JobSettings one = job("tell", endpoint.url(), SOON, 3);
    JobSettings other = job("tell-too", endpoint.url(), SOON, 5);
    try (JobsAtWork working = start(6, one, other)) {
      await().atMost(SOON).until(() -> done() == 60);
      working.wake("tell");
    }

    assertThat(most).hasValue(3);
  }

  @Test
  void nobodyAtHomeIsTriedAgain() throws SQLException {
    URI nobody = endpoint.url();
    endpoint.close();
    enqueue("tell", 1);

    try (JobsAtWork working = start(1, job("tell", nobody, SOON, 1))) {
      await().atMost(SOON).until(() -> count("attempts = 1 AND last_error IS NOT NULL") == 1);
      working.wake("tell");
    }

    assertThat(count("status = 'waiting'")).isEqualTo(1);
  }

  private static void awaitLatch(CountDownLatch latch) {
    awaitLatch(latch, 60_000);
  }

  private static void awaitLatch(CountDownLatch latch, long millis) {
    try {
      var unused = latch.await(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
