package dev.ingest.app.parked;

import dev.ingest.event.IngestException;
import dev.ingest.plan.Backoff;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of {@code ingest run} that tries parked events again: those whose cause may have
 * healed, and those that somebody asked for. Every process has one; they pass each other's events
 * over. {@link #close} is idempotent.
 */
public final class ParkedHealer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ParkedHealer.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
  private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final ParkedRetry retry;
  private final HealPolicy policy;
  private final SplittableRandom random = new SplittableRandom();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Set<String> toldRoutes = new HashSet<>();
  private final Thread thread = new Thread(this::run, "parked-healer");

  public ParkedHealer(ParkedRetry retry, HealPolicy policy) {
    this.retry = retry;
    this.policy = policy;
  }

  public void start() {
    thread.start();
  }

  private void run() {
    int failures = 0;
    try {
      Duration pause = Duration.ZERO;
      while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          round();
          failures = 0;
          pause = LOOK_EVERY.plusMillis(random.nextLong(LOOK_EVERY.toMillis()));
        } catch (SQLException | RuntimeException failed) {
          pause = PAUSE.delay(++failures, random);
          warn(failures, failed);
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() throws SQLException {
    if (policy.isActive()) {
      retry.ask(policy);
    }
    Map<String, RuntimeException> failures = new TreeMap<>();
    RetryTally tally = RetryTally.NONE;
    RetryTally step = retry.step(failures);
    while (step.events() > 0) {
      tally = tally.plus(step);
      step = stop.getCount() == 0 ? RetryTally.NONE : retry.step(failures);
    }
    if (tally.events() > 0) {
      LOG.info(
          "parked events tried again: stored={} parkedAgain={} passedOver={} kept={}",
          tally.stored(),
          tally.parkedAgain(),
          tally.passedOver(),
          tally.kept());
      toldRoutes.retainAll(failures.keySet());
    }
    failures.forEach(this::tell);
  }

  /** Once, until the events of that route are no longer kept. */
  private void tell(String route, RuntimeException failed) {
    if (toldRoutes.add(route)) {
      boolean ours = failed instanceof IngestException;
      LOG.warn(
          "parked events of route {} can't be tried now: {}. Tried again every minute until it"
              + " works; other routes go on",
          route,
          ours ? failed.getMessage() : failed.getClass().getSimpleName());
    }
  }

  /** The writers tell of a database that is away; one line here is enough. */
  private static void warn(int failures, Exception failed) {
    if (failures == 1) {
      String state = failed instanceof SQLException sql ? sql.getSQLState() : "none";
      LOG.warn(
          "parked events can't be tried now, sqlstate={} error={}; tried again until it works",
          state,
          failed.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join(Duration.ofSeconds(3).toMillis());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
