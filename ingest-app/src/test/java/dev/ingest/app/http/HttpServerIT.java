package dev.ingest.app.http;

import static dev.ingest.app.http.Consumers.NOW;
import static dev.ingest.app.http.Consumers.diskFull;
import static dev.ingest.app.http.Consumers.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ingest.app.config.HttpSettings;
import dev.ingest.event.IngestException;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.IngestConsumer.State;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpServerIT {
  private static final HttpSettings ANY_PORT = new HttpSettings(true, "127.0.0.1", 0);
  private static final LoopBounds BOUNDS =
      LoopBounds.of(Duration.ofSeconds(10), Duration.ofSeconds(45), Duration.ofSeconds(300));
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final ConsumerWatch watch = watch("consumer-0");
  private State state = State.RUNNING;
  private Instant lastPoll = NOW;
  private Optional<String> databaseProblem = Optional.empty();
  private final HttpServer server = start();

  @AfterEach
  void close() {
    server.close();
  }

  private HttpServer start() {
    HealthView health =
        HealthView.of(
            () -> List.of(watch.status(state, lastPoll, NOW)),
            () -> databaseProblem,
            Optional::empty,
            () -> NOW);
    About about = new About("1.0", "shop <b>", "orders", "ingest.event", NOW);
    return HttpServer.start(
        ANY_PORT, new Routes(health, BOUNDS, () -> "ingest_paused 0.0\n", about, () -> NOW));
  }

  @Test
  void livezFailsWhenAConsumerHasFailedOrIsStuckAndSaysWhich() throws Exception {
    assertThat(get("/livez").statusCode()).isEqualTo(200);

    lastPoll = NOW.minusSeconds(61);
    assertThat(problems(get("/livez"), 503))
        .containsExactly("consumer-0 has not polled for 61 s, bound=60 s");

    lastPoll = NOW;
    state = State.FAILED;
    assertThat(problems(get("/livez"), 503))
        .containsExactly("consumer-0 has failed and does not start again by itself");
  }

  @Test
  void readyzWaitsForTheGroupAndTurnsOffWhilePaused() throws Exception {
    assertThat(problems(get("/readyz"), 503))
        .containsExactly("consumer-0 waiting for the group to assign partitions");

    watch.assigned(List.of(new TopicPartition("orders", 0)));
    HttpResponse<String> ready = get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(200);
    JsonNode consumer = new ObjectMapper().readTree(ready.body()).get("consumers").get(0);
    assertThat(consumer.get("name").asText()).isEqualTo("consumer-0");
    assertThat(consumer.get("state").asText()).isEqualTo("running");
    assertThat(consumer.get("partitions").asInt()).isEqualTo(1);

    watch.paused(diskFull());
    assertThat(problems(get("/readyz"), 503))
        .containsExactly("consumer-0 paused: sqlstate=53100 could not extend file");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
  }

  @Test
  void readyzAsksTheDatabaseOfAnIdleProcess() throws Exception {
    watch.assigned(List.of());
    databaseProblem = Optional.of("the server is read-only");

    assertThat(problems(get("/readyz"), 503))
        .containsExactly("database not writable: the server is read-only");
  }

  @Test
  void metricsAreInPrometheusTextForm() throws Exception {
    HttpResponse<String> metrics = get("/metrics");

    assertThat(metrics.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    assertThat(metrics.body()).isEqualTo("ingest_paused 0.0\n");
  }

  @Test
  void consoleIsWholeWithoutAnotherHost() throws Exception {
    watch.assigned(List.of(new TopicPartition("orders", 0)));
    HttpResponse<String> page = get("/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("orders · 0", "Ready").doesNotContain("//cdn", "{{");
    Matcher links = Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(page.body());
    while (links.find()) {
      assertThat(links.group(1)).startsWith("/");
      assertThat(get(links.group(1)).statusCode()).as(links.group(1)).isLessThan(504);
      assertThat(get(links.group(1)).statusCode()).as(links.group(1)).isNotEqualTo(404);
    }
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'");
  }

  @Test
  void everyFileOfTheConsoleIsThereAndCached() throws Exception {
    for (String file : Assets.FILES.keySet()) {
      HttpResponse<String> first = get("/assets/" + file);
      assertThat(first.statusCode()).as(file).isEqualTo(200);
      assertThat(first.body()).as(file).isNotEmpty();

      String tag = first.headers().firstValue("ETag").orElseThrow();
      assertThat(get("/assets/" + file, "If-None-Match", tag).statusCode()).isEqualTo(304);
    }
    assertThat(get("/assets/console.html").statusCode()).isEqualTo(404);
    assertThat(get("/assets/..%2Fconsole.html").statusCode()).isGreaterThanOrEqualTo(400);
  }

  @Test
  void whatComesFromOutsideIsEscaped() throws Exception {
    watch.assigned(List.of(new TopicPartition("<script>alert(1)</script>", 0)));

    for (String path : List.of("/", "/console/state")) {
      assertThat(get(path).body()).doesNotContain("<script>alert").contains("&lt;script&gt;alert");
    }
    assertThat(get("/").body()).doesNotContain("shop <b>").contains("shop &lt;b&gt;");
  }

  @Test
  void stateShowsCountsAndLag() throws Exception {
    TopicPartition partition = new TopicPartition("orders", 3);
    watch.assigned(List.of(partition));
    watch.polled("orders", 12_345);
    watch.skipped("orders", 5);
    watch.lag(Map.of(partition, 67_890L));

    assertThat(get("/console/state").body()).contains("12,345", "67,890", "12,340", "hx-swap-oob");
  }

  @Test
  void ratesAreColumnsOfEqualLength() throws Exception {
    JsonNode columns = new ObjectMapper().readTree(get("/console/rates").body());

    assertThat(columns).hasSize(5);
    assertThat(columns).allSatisfy(column -> assertThat(column).hasSameSizeAs(columns.get(0)));
  }

  @Test
  void aPortThatIsTakenIsToldAtOnce() {
    HttpSettings taken = new HttpSettings(true, "127.0.0.1", server.port());

    assertThatThrownBy(() -> HttpServer.start(taken, routes()).close())
        .isInstanceOf(IngestException.class)
        .hasMessageStartingWith(
            "CONFIG_INVALID: can't serve on ingest.http.host=127.0.0.1 ingest.http.port="
                + server.port()
                + ": BindException.");
  }

  @Test
  void aHostThatIsNotOursIsToldAtOnce() {
    HttpSettings elsewhere = new HttpSettings(true, "no-such-host.invalid", 0);

    assertThatThrownBy(() -> HttpServer.start(elsewhere, routes()).close())
        .hasMessageStartingWith(
            "CONFIG_INVALID: can't serve on ingest.http.host=no-such-host.invalid");
  }

  @Test
  void closingFreesThePort() throws Exception {
    get("/livez");
    server.close();
    server.close();

    HttpSettings same = new HttpSettings(true, "127.0.0.1", server.port());
    try (HttpServer next = HttpServer.start(same, routes())) {
      assertThat(next.port()).isEqualTo(server.port());
    }
  }

  private Routes routes() {
    HealthView nothing = HealthView.of(List::of, Optional::empty, Optional::empty, () -> NOW);
    return new Routes(
        nothing, BOUNDS, () -> "", new About("1.0", "shop", "orders", "t", NOW), () -> NOW);
  }

  private static List<String> problems(HttpResponse<String> answer, int status) throws IOException {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    JsonNode problems = new ObjectMapper().readTree(answer.body()).get("problems");
    return problems.valueStream().map(JsonNode::asText).toList();
  }

  private HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.address() + path)).timeout(Duration.ofSeconds(20));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
