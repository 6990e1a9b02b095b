package dev.ingest.app.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The page for people. Rendered here; a script in the page asks for its changing parts, and without
 * it the page loads itself anew. Thread-safe.
 */
final class Console implements AutoCloseable {
  private static final int SAMPLES = 600;
  private static final long SAMPLE_SECONDS = 1;
  private static final long DATABASE_SECONDS = 5;
  private static final Duration WATCHED = Duration.ofSeconds(30);

  private final HealthView health;
  private final LoopBounds bounds;
  private final About about;
  private final InstantSource clock;
  private final RateHistory history = new RateHistory(SAMPLES);
  private final ScheduledExecutorService sampler =
      Executors.newScheduledThreadPool(2, Console::daemon);
  private volatile Instant lastSeen = Instant.EPOCH;
  private volatile Optional<String> databaseProblem = Optional.empty();

  Console(HealthView health, LoopBounds bounds, About about, InstantSource clock) {
    this.health = health;
    this.bounds = bounds;
    this.about = about;
    this.clock = clock;
    every(SAMPLE_SECONDS, this::sample);
    every(DATABASE_SECONDS, this::askDatabase);
  }

  private void every(long seconds, Runnable task) {
    var unused = sampler.scheduleWithFixedDelay(task, 0, seconds, TimeUnit.SECONDS);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "console-sampler");
    thread.setDaemon(true);
    return thread;
  }

  void sample() {
    List<ConsumerStatus> consumers = health.consumers();
    history.add(clock.instant(), ConsoleState.totals(consumers), ConsoleState.lag(consumers));
  }

  /** A page never waits for the database, and nobody asks it while no page is open. */
  private void askDatabase() {
    if (Duration.between(lastSeen, clock.instant()).compareTo(WATCHED) < 0) {
      databaseProblem = health.databaseProblem();
    }
  }

  /** The whole page. */
  String page() {
    ConsoleState state = now();
    return new String(Assets.read("console.html"), UTF_8)
        .replace("{{group}}", Html.text(about.group()))
        .replace("{{source}}", Html.text(about.source()))
        .replace("{{target}}", Html.text(about.target()))
        .replace("{{version}}", Html.text(about.version()))
        .replace("{{started}}", Html.time(about.started()))
        .replace("{{head}}", state.head())
        .replace("{{tables}}", state.tables());
  }

  /** The parts that change. */
  String state() {
    ConsoleState state = now();
    return state.head()
        + "<div id=\"tables\" class=\"tables\" hx-swap-oob=\"true\">"
        + state.tables()
        + "</div>";
  }

  /** Columns for the chart. */
  String rates() {
    return history.json();
  }

  private ConsoleState now() {
    Instant now = clock.instant();
    lastSeen = now;
    List<ConsumerStatus> consumers = health.consumers();
    return new ConsoleState(
        consumers,
        HealthRules.alive(consumers, bounds, now),
        HealthRules.ready(health, () -> databaseProblem),
        history.rate(),
        now);
  }

  @Override
  public void close() {
    sampler.shutdownNow();
  }
}
