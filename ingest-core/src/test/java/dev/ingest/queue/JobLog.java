package dev.ingest.queue;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Keeps what happened to jobs, in order, and lets tests wait for it. Thread-safe. */
final class JobLog implements JobEvents {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final List<String> lines = new ArrayList<>();
  private long completed;
  private long lost;

  @Override
  public void claimed(String queue, int jobs) {
    add("claimed " + queue + " " + jobs);
  }

  @Override
  public synchronized void completed(String queue, int jobs) {
    completed += jobs;
    add("completed " + queue + " " + jobs);
  }

  @Override
  public void failed(Job job, Verdict verdict, Throwable cause) {
    add(
        "failed "
            + job.queue()
            + " attempt="
            + job.attempt()
            + " "
            + verdict.getClass().getSimpleName());
  }

  @Override
  public synchronized void leaseLost(String queue, int jobs) {
    lost += jobs;
    add("lost " + queue + " " + jobs);
  }

  @Override
  public void leaseExpired(JobQueue.Reaped reaped) {
    add("expired " + reaped.queue());
  }

  @Override
  public void databaseFailed(String what, Exception cause, Duration pause) {
    add("database failed for " + what + ": " + cause);
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  synchronized long completed() {
    return completed;
  }

  synchronized long lost() {
    return lost;
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  void awaitCompleted(long jobs) {
    await("completed " + jobs + " jobs", log -> log.completed >= jobs);
  }

  void awaitLine(String start) {
    await(start, log -> log.lines.stream().anyMatch(line -> line.startsWith(start)));
  }

  private synchronized void await(String what, Predicate<JobLog> condition) {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    try {
      while (!condition.test(this)) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          fail("Not seen in time: " + what + ". Seen:\n" + String.join("\n", lines));
        }
        wait(Math.max(1, left / 1_000_000));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      fail("interrupted");
    }
  }
}
