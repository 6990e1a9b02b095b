package dev.ingest.sim;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.EventStore;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.InMemoryEventStore;
import dev.ingest.pipeline.SteppedConsumer;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.Reading;
import dev.ingest.plan.Routes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * One life of one consumer: the real loops between simulated ports, and the state of its two
 * threads.
 */
final class SimConsumer implements SimSource.Surroundings {
  /** Which of the two threads takes a turn. */
  enum Turn {
    POLL,
    WRITE
  }

  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

  private final String name;
  private final World world;
  private final Ledger ledger;
  private final SimSource source;
  private final SteppedConsumer loops;

  private boolean polling;
  private boolean writing;
  private boolean dead;
  private Instant frozenUntil = Instant.EPOCH;
  private Instant writesAt = Instant.EPOCH;
  private boolean doubtful;

  /** Whether a transaction that was committed was repeated, which deletes and adds rows again. */
  private boolean repeated;

  SimConsumer(String name, World world, Plant plant) {
    this.name = name;
    this.world = world;
    this.ledger = new Ledger(name, world::isDone, world::isBad);
    Scenario scenario = world.scenario();
    this.source =
        new SimSource(
            name, world.broker(), scenario, ledger, this, world.random(), world.history());
    EventStore store =
        new CheckedStore(
            new InMemoryEventStore(world.database(), name, new TimedFaults(world, this)),
            name,
            world.history(),
            this::recall,
            this::commits);
    BadEvents badEvents =
        scenario.deadLetters()
            ? new DeadLetters(
                world.deadLetters(), ledger, ledger, world.random(), scenario.rates().fault())
            : BadEvents.park();
    this.loops =
        new SteppedConsumer(
            new ConsumerSettings(
                scenario.limits(),
                scenario.locks(),
                Routes.single(reader()),
                plant.badEvents(badEvents),
                scenario.badShare()),
            plant.source(source),
            plant.store(store, source, ledger),
            ledger,
            world.clock(),
            world.random(),
            this::drain);
  }

  private EventReader reader() {
    return new EventReader() {
      @Override
      public Reading read(Event event) {
        ledger.read(event);
        return world.workload().read(event);
      }

      @Override
      public boolean deletes() {
        return world.scenario().mix().tombstonePercent() > 0;
      }
    };
  }

  /** What has to keep the topic's order is written by who reads it, as far as that can be known. */
  private void commits(Chunk chunk) {
    chunk.groups().stream()
        .filter(group -> Workload.isMortal(group.key().value()))
        .forEach(this::requireOurs);
  }

  private void requireOurs(KeyGroup group) {
    TopicPartition partition = group.events().get(0).partition();
    if (!source.owns(partition)) {
      throw new Violation("order", name + " writes " + group.events() + " of what it let go");
    }
    if (source.isThrownOut()) {
      world.writtenLate(group.key().value());
    }
  }

  String name() {
    return name;
  }

  SimSource source() {
    return source;
  }

  boolean isDead() {
    return dead;
  }

  boolean isFrozen() {
    return world.clock().instant().isBefore(frozenUntil);
  }

  /** Stops both threads for a while, as SIGSTOP does. */
  void freeze(Duration time) {
    frozenUntil = world.clock().instant().plus(time);
  }

  void thaw() {
    frozenUntil = Instant.EPOCH;
  }

  /** The process is gone; what is still on the stack ends when it gets on. */
  void kill() {
    dead = true;
    world.died(this);
  }

  /** A server that can't tell how a transaction ended leaves the split of counts to a guess. */
  private TransactionStatus recall(TransactionStatus status) {
    boolean ended = status != TransactionStatus.IN_PROGRESS;
    repeated |= status == TransactionStatus.COMMITTED;
    if (!ended || !world.scenario().forgetful() || world.random().nextBoolean()) {
      return status;
    }
    doubtful = true;
    return TransactionStatus.UNKNOWN;
  }

  boolean canPoll() {
    return !dead && !isFrozen() && !polling;
  }

  boolean canWrite() {
    return !dead
        && !isFrozen()
        && !writing
        && (loops.isIdle() || !world.clock().instant().isBefore(writesAt));
  }

  Instant writesAt() {
    return loops.isIdle() ? Instant.MAX : writesAt;
  }

  void start() {
    onPollingThread(loops::start);
  }

  void poll() {
    onPollingThread(loops::poll);
  }

  /** Leaves the group as the polling thread does it in the end. */
  void leave() {
    onPollingThread(() -> loops.close(Duration.ofSeconds(25)));
    kill();
  }

  private void onPollingThread(Runnable work) {
    polling = true;
    try {
      work.run();
    } finally {
      polling = false;
    }
  }

  void write() {
    writing = true;
    try {
      Duration pause = loops.write();
      writesAt = world.clock().instant().plus(pause);
    } finally {
      writing = false;
    }
  }

  /** Waits, as the polling thread does, until the writer is done with these partitions. */
  private boolean drain(Collection<TopicPartition> partitions) {
    Instant deadline = world.clock().instant().plus(DRAIN_TIMEOUT);
    while (loops.isOut(partitions)) {
      if (loops.isPaused() || !world.clock().instant().isBefore(deadline)) {
        return false;
      }
      world.turns().whileDraining(this);
      requireAlive();
    }
    return true;
  }

  @Override
  public void interlude() {
    world.turns().interlude();
    requireAlive();
  }

  private void requireAlive() {
    if (dead) {
      throw new Crash();
    }
  }

  @Override
  public void requirePollingThread() {
    world.turns().require(this, Turn.POLL);
  }

  void check() {
    ledger.check();
    Scenario scenario = world.scenario();
    if (ledger.pending() > scenario.limits().bufferEvents() + scenario.maxPoll()) {
      throw new Violation("memory", name + " holds " + ledger.pending() + " events");
    }
    if (!dead && !writing && loops.isIdle()) {
      requireExactCounts();
    }
  }

  /** With no batch at hand, what is told is what the database has. */
  private void requireExactCounts() {
    requireExact("inserted", ledger.insertedInAll(), world.database().insertedBy(name));
    requireExact("deleted", ledger.deletedInAll(), world.database().deletedBy(name));
  }

  private void requireExact(String what, int told, int done) {
    boolean again = repeated && world.scenario().mix().tombstonePercent() > 0;
    if (!doubtful && (told > done || (told < done && !again))) {
      throw new Violation("I6", name + " tells " + what + "=" + told + ", the database " + done);
    }
  }

  boolean hasNothingPending() {
    return ledger.pending() == 0;
  }
}
