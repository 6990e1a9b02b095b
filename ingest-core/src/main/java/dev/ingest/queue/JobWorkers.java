package dev.ingest.queue;

import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of queues with handlers:
 *
 * <pre>{@code
 * JobWorkers workers = JobWorkers.on(dataSource)
 *     .handle("mail", job -> mailer.send(job.text()))
 *     .start();
 * }</pre>
 *
 * <p>Any number of processes may work on the same queues. {@link #close} may be called from any
 * thread and is idempotent.
 */
public final class JobWorkers implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(25);

  private final Map<String, WorkLoop> loops;
  private final Housekeeper housekeeper;
  private final @Nullable Ear ear;
  private boolean closed;

  private JobWorkers(Plan plan) {
    String worker = plan.worker + "#" + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
    Site site = new Site(plan.dataSource, plan.queue, JobEvents.all(plan.listeners), worker);
    this.loops = new LinkedHashMap<>();
    plan.loops.forEach((name, loop) -> loops.put(name, loop.apply(site)));
    this.housekeeper = new Housekeeper(site, plan.keepFinished);
    DataSource direct = plan.direct;
    this.ear = direct == null ? null : new Ear(direct, site.events(), this);
  }

  /**
   * Workers that are not started.
   *
   * @param dataSource needs a connection for each queue of {@link Plan#handle}, one for each thread
   *     of {@link Plan#handleInTransaction}, and one more
   */
  public static Plan on(DataSource dataSource) {
    return new Plan(dataSource);
  }

  /** What workers shall do. One thread at a time. */
  public static final class Plan {
    private final DataSource dataSource;
    private final Map<String, Function<Site, WorkLoop>> loops = new LinkedHashMap<>();
    private final List<JobEvents> listeners = new ArrayList<>();
    private JobQueue queue = new JobQueue();
    private String worker = ManagementFactory.getRuntimeMXBean().getName();
    private Duration keepFinished = Duration.ofDays(7);
    private @Nullable DataSource direct;

    private Plan(DataSource dataSource) {
      this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** Runs the jobs of a queue under leases, one at a time in this process. */
    public Plan handle(String name, JobHandler handler) {
      return handle(name, HandlerSettings.DEFAULT, handler);
    }

    /** Runs the jobs of a queue under leases: each at least once. */
    public Plan handle(String name, HandlerSettings settings, JobHandler handler) {
      return add(name, site -> new LongLoop(site, name, settings, handler));
    }

    /**
     * Runs the jobs of a queue in the transactions that hold them, one at a time in this process.
     */
    public Plan handleInTransaction(String name, TransactionHandler handler) {
      return handleInTransaction(name, HandlerSettings.DEFAULT, handler);
    }

    /**
     * Runs the jobs of a queue in the transactions that hold them: in this database exactly once.
     */
    public Plan handleInTransaction(
        String name, HandlerSettings settings, TransactionHandler handler) {
      return add(name, site -> new ShortLoop(site, name, settings, handler));
    }

    private Plan add(String name, Function<Site, WorkLoop> loop) {
      if (loops.putIfAbsent(name, loop) != null) {
        throw new IllegalArgumentException("queue=" + name + " has a handler already");
      }
      return this;
    }

    /** Tells what happens; may be called several times. */
    public Plan listener(JobEvents listener) {
      listeners.add(listener);
      return this;
    }

    /** Shares a queue with the rest of the process. */
    public Plan queue(JobQueue shared) {
      queue = shared;
      return this;
    }

    /** The name under which jobs are claimed, before a random number; else process id and host. */
    public Plan worker(String name) {
      worker = name;
      return this;
    }

    /** How long finished jobs are kept. */
    public Plan keepFinished(Duration time) {
      keepFinished = time;
      return this;
    }

    /**
     * Wakes workers by {@link JobQueue#enqueueAndNotify}; polling goes on beside it.
     *
     * @param connections one is kept, which must reach the server itself: a pooler in transaction
     *     mode passes no notification on
     */
    public Plan listen(DataSource connections) {
      direct = connections;
      return this;
    }

    public JobWorkers start() {
      JobWorkers workers = new JobWorkers(this);
      workers.loops.values().forEach(WorkLoop::start);
      workers.housekeeper.start();
      if (workers.ear != null) {
        workers.ear.start();
      }
      return workers;
    }
  }

  /** Looks for jobs of a queue at once instead of at the next poll; quick, for any thread. */
  public void wake(String queue) {
    WorkLoop loop = loops.get(queue);
    if (loop != null) {
      loop.wake();
    } else if (queue.equals(JobQueue.EVERY_QUEUE)) {
      wakeAll();
    }
  }

  /** Looks for jobs of all queues at once. */
  public void wakeAll() {
    loops.values().forEach(WorkLoop::wake);
  }

  /**
   * Begins no further job, lets those that run finish, records the outcomes and gives the others
   * back. What still runs at the end of the timeout is interrupted.
   *
   * @return whether everything ended by itself
   */
  public synchronized boolean close(Duration timeout) {
    if (closed) {
      return true;
    }
    closed = true;
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean ended = true;
    if (ear != null) {
      ear.close();
    }
    loops.values().forEach(WorkLoop::stop);
    try {
      for (WorkLoop loop : loops.values()) {
        ended &= loop.awaitEnd(deadline);
      }
      housekeeper.close();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
    return ended;
  }

  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }
}
