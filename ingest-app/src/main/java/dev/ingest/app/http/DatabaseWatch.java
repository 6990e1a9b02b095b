package dev.ingest.app.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Whether the database can be written: a commit a moment ago is proof enough, so a busy process
 * asks nothing. Otherwise one caller at a time asks, and its answer holds for a moment.
 * Thread-safe.
 */
final class DatabaseWatch {
  private static final Duration COMMIT_PROVES = Duration.ofSeconds(5);
  private static final Duration ANSWER_HOLDS = Duration.ofSeconds(2);

  private record Answer(Optional<String> problem, Instant at) {}

  private final Supplier<Optional<String>> check;
  private final InstantSource clock;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile Answer last = new Answer(Optional.of("not asked yet"), Instant.EPOCH);

  DatabaseWatch(Supplier<Optional<String>> check, InstantSource clock) {
    this.check = check;
    this.clock = clock;
  }

  Optional<String> problem(List<ConsumerStatus> consumers) {
    Instant now = clock.instant();
    if (consumers.stream().anyMatch(each -> isFresh(each.lastCommit(), COMMIT_PROVES, now))) {
      return Optional.empty();
    }
    if (isFresh(last.at, ANSWER_HOLDS, now)) {
      return last.problem;
    }
    return asking.tryLock() ? ask() : Optional.of("the database has not answered yet");
  }

  private Optional<String> ask() {
    try {
      Optional<String> problem = check.get();
      last = new Answer(problem, clock.instant());
      return problem;
    } finally {
      asking.unlock();
    }
  }

  private static boolean isFresh(Instant at, Duration age, Instant now) {
    return Duration.between(at, now).compareTo(age) < 0;
  }
}
