package dev.ingest.queue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs jobs under leases. One coordinating thread talks to the database: a round of it records the
 * outcomes that have gathered and claims as many jobs as there is room for, in one transaction. The
 * handlers run on threads of their own and never wait for it.
 */
final class LongLoop implements WorkLoop {
  /** How long a single outcome waits for others, so that they share a commit. */
  private static final long LINGER = Duration.ofMillis(5).toNanos();

  private final Site site;
  private final String queue;
  private final HandlerSettings settings;
  private final JobHandler handler;
  private final int capacity;
  private final JobsInHand hand;
  private final Bell bell = new Bell();
  private final ExecutorService threads;
  private final Thread coordinator;
  private volatile boolean stopping;
  private volatile boolean woken;

  // the coordinator's own
  private final SplittableRandom random = new SplittableRandom();
  private long lookAgainAt = System.nanoTime();
  private long extendAt;
  private long gatheringSince;
  private boolean gathering;
  private int failures;

  LongLoop(Site site, String queue, HandlerSettings settings, JobHandler handler) {
    this.site = site;
    this.queue = queue;
    this.settings = settings;
    this.handler = handler;
    this.capacity = settings.threads() + settings.batch();
    this.hand = new JobsInHand(settings.batch());
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            settings.threads(), work -> new Thread(work, queue + "-" + number.incrementAndGet()));
    this.coordinator = new Thread(this::coordinate, queue + "-jobs");
  }

  @Override
  public void start() {
    coordinator.start();
  }

  @Override
  public void wake() {
    woken = true;
    bell.ring();
  }

  @Override
  public void stop() {
    stopping = true;
    hand.stop();
    bell.ring();
  }

  @Override
  public boolean awaitEnd(long deadline) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedJoin(coordinator, deadline - System.nanoTime());
    boolean ended = !coordinator.isAlive();
    threads.shutdownNow();
    if (!ended) {
      TimeUnit.SECONDS.timedJoin(coordinator, 1); // what the interrupted handlers threw is recorded
      coordinator.interrupt();
    }
    return ended;
  }

  private void coordinate() {
    try {
      while (!stopping || hand.size() > 0) {
        long heard = bell.rings();
        Duration pause;
        try {
          pause = round();
          failures = 0;
        } catch (SQLException | RuntimeException | Error failed) {
          pause = PAUSE.delay(++failures, random);
          site.events().databaseFailed("jobs of queue " + queue, WorkLoop.told(failed), pause);
          heard = bell.rings();
        }
        bell.await(heard, pause);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdown();
    }
  }

  /** Does what there is to do, and says how long to wait for the next time. */
  private Duration round() throws SQLException {
    long now = System.nanoTime();
    JobsInHand.Due due = hand.due();
    boolean record = isWorthRecording(due, now);
    int room = room(due, record, now);
    boolean extend = hand.size() > 0 && extendAt - now <= 0;
    if (record || extend || room > 0) {
      transact(due, room, extend, now);
      gathering = false;
    }
    return untilNext();
  }

  private boolean isWorthRecording(JobsInHand.Due due, long now) {
    int outcomes = due.outcomes();
    if (outcomes == 0) {
      gathering = false;
    } else if (!gathering) {
      gathering = true;
      gatheringSince = now;
    }
    boolean enough = outcomes >= settings.batch() || outcomes == hand.size();
    boolean waited = gathering && now - gatheringSince >= LINGER;
    return (outcomes > 0 && (enough || waited))
        || !due.untried().isEmpty()
        || !due.unconfirmed().isEmpty();
  }

  /** How many jobs to claim; few of them only where the transaction is made anyway. */
  private int room(JobsInHand.Due due, boolean recording, long now) {
    if (stopping || (!woken && lookAgainAt - now > 0)) {
      return 0;
    }
    int room = capacity - hand.size() + (recording ? due.outcomes() : 0);
    boolean enough = recording || 2 * room >= settings.batch() || hand.waiting() == 0;
    int most = failures > 0 ? 1 : room; // several at once may be more than there is memory
    return enough ? Math.max(0, Math.min(room, most)) : 0;
  }

  private void transact(JobsInHand.Due due, int room, boolean extend, long now)
      throws SQLException {
    if (room > 0) {
      woken = false;
    }
    List<JobsInHand.Held> leased = extend ? hand.leased() : List.of();
    Round round = new Round(site, queue, settings.lease(), due, leased, room);
    long leaseEnd = now + settings.lease().toNanos();
    boolean wasEmpty = hand.size() == 0;
    try {
      round.run();
    } catch (SQLException | RuntimeException | Error failed) {
      if (room > 0) {
        woken = true; // whoever rang does not ring again
      }
      if (round.isCommitSent()) {
        hand.recordedPerhaps(due);
        hand.claimedPerhaps(round.claimed(), leaseEnd);
      }
      throw failed;
    }
    if (extend || wasEmpty) {
      extendAt = now + settings.lease().toNanos() / 3;
    }
    if (room > 0) {
      boolean more = round.claimed().size() == room;
      lookAgainAt = more ? now : System.nanoTime() + settings.poll().toNanos();
    }
    int lost = hand.extended(leased, round.extended(), leaseEnd);
    submit(hand.recorded(due, round.confirmed(), leaseEnd));
    submit(hand.claimed(round.claimed(), leaseEnd)); // last: one that was lost may be among them
    tell(round, due, lost);
  }

  private void tell(Round round, JobsInHand.Due due, int lost) {
    JobEvents events = site.events();
    if (!round.claimed().isEmpty()) {
      events.claimed(queue, round.claimed().size());
    }
    int completed = round.recorded(due.done()).size();
    if (completed > 0) {
      events.completed(queue, completed);
    }
    List<JobsInHand.Held> failed = round.recorded(due.failed());
    failed.forEach(held -> events.failed(held.job(), held.failure().verdict(), held.cause()));
    int late = due.outcomes() - completed - failed.size();
    if (late + lost > 0) {
      events.leaseLost(queue, late + lost);
    }
  }

  private void submit(List<JobsInHand.Held> jobs) {
    jobs.forEach(held -> threads.execute(() -> work(held)));
  }

  private void work(JobsInHand.Held held) {
    long begun = System.nanoTime();
    if (!hand.begin(held, begun)) {
      return;
    }
    boolean news;
    try {
      handler.handle(held.job());
      news = hand.done(held);
    } catch (Throwable thrown) { // an Error too is the job's, and must not end the thread
      news = hand.failed(held, thrown, Failure.of(held.job(), thrown, settings.retry()));
    }
    site.events().handled(held.job(), Duration.ofNanos(System.nanoTime() - begun));
    if (news) {
      bell.ring();
    }
  }

  private Duration untilNext() {
    long now = System.nanoTime();
    if (isWorthRecording(hand.due(), now)) {
      return Duration.ZERO;
    }
    long wait = settings.poll().toNanos();
    if (lookAgainAt - now > 0) {
      wait = Math.min(wait, lookAgainAt - now);
    }
    if (hand.size() > 0) {
      wait = Math.min(wait, extendAt - now);
    }
    if (gathering) {
      wait = Math.min(wait, gatheringSince + LINGER - now);
    }
    return Duration.ofNanos(Math.max(0, wait));
  }
}
