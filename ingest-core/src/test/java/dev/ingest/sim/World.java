package dev.ingest.sim;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.FaultInjection.Point;
import dev.ingest.pipeline.InMemoryDatabase;
import dev.ingest.pipeline.InMemoryDatabase.Position;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.SqlStatePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Everything of one run. */
final class World {
  private static final List<String> OUTAGES =
      List.of("08001", "57P03", "25006", "53300", "53100", "42501", "42P01", "28P01");

  private final Scenario scenario;
  private final Plant plant;
  private final RandomGenerator random;
  private final SimClock clock = new SimClock();
  private final History history = new History(clock);
  private final Workload workload;
  private final InMemoryDatabase database;
  private final Broker broker;
  private final Set<Position> deadLetters = DeadLetters.newTopic();
  private final List<SimConsumer> consumers = new ArrayList<>();
  private final List<SimConsumer> alive = new ArrayList<>();
  private final Turns turns;

  private final Set<String> late = new HashSet<>();
  private boolean faulty = true;
  private @Nullable String outage;
  private Instant outageEnds = Instant.EPOCH;
  private int toProduce;

  World(Scenario scenario, Plant plant, RandomGenerator random) {
    this.scenario = scenario;
    this.plant = plant;
    this.random = random;
    this.workload = new Workload(scenario.mix(), random);
    this.database = new InMemoryDatabase(scenario.maxLocks(), workload, scenario.unique());
    Group group = new Group(scenario.partitions(), random, clock);
    this.broker = new Broker(scenario, group, this::isDone, random, history);
    this.turns = new Turns(this);
    this.toProduce = scenario.mix().events();
    produce(toProduce / 2);
  }

  Scenario scenario() {
    return scenario;
  }

  RandomGenerator random() {
    return random;
  }

  SimClock clock() {
    return clock;
  }

  History history() {
    return history;
  }

  Workload workload() {
    return workload;
  }

  InMemoryDatabase database() {
    return database;
  }

  Broker broker() {
    return broker;
  }

  Set<Position> deadLetters() {
    return deadLetters;
  }

  Turns turns() {
    return turns;
  }

  /** All there ever were. */
  List<SimConsumer> consumers() {
    return consumers;
  }

  boolean isFaulty() {
    return faulty;
  }

  boolean isBad(Event event) {
    return workload.keyOf(event) == null || workload.refusal(event) != null;
  }

  /** Whether the event may be left behind: stored, already there, deleted, parked or skipped. */
  boolean isDone(Event event) {
    if (Workload.isSkipped(event)
        || deadLetters.contains(Position.of(event))
        || database.isParked(event)) {
      return true;
    }
    String key = workload.keyOf(event);
    if (key != null && Workload.isMortal(key)) {
      return database.applied(key).stream().anyMatch(group -> holds(group, event));
    }
    return key != null && database.rows().containsKey(key);
  }

  /** Whether one of its deliveries is in the group. */
  static boolean holds(KeyGroup group, Event event) {
    return group.events().stream().map(Position::of).anyMatch(Position.of(event)::equals);
  }

  /** A consumer that was thrown out, and could not know, writes events of this key. */
  void writtenLate(String key) {
    late.add(key);
  }

  boolean isWrittenLate(String key) {
    return late.contains(key);
  }

  /** SQLSTATE that every consumer meets at this point now, null for none. */
  @Nullable String outageAt(Point point) {
    if (outage == null || !clock.instant().isBefore(outageEnds)) {
      return null;
    }
    boolean away = SqlStatePolicy.of(outage) == FaultKind.CONNECTION;
    return point == (away ? Point.CONNECT : Point.INSERT) ? outage : null;
  }

  /** Every consumer meets this SQLSTATE from now on, for a while. */
  void breakDown(Duration time) {
    outage = any(OUTAGES);
    outageEnds = clock.instant().plus(time);
    history.add("database", "fails with", outage, "for", time);
  }

  /** Nothing fails from now on. */
  void heal() {
    faulty = false;
    if (scenario.badShare().share() < 1) {
      workload.mend();
    }
    outage = null;
    broker.heal();
    consumers.forEach(SimConsumer::thaw);
    while (database.settleOne()) {}
  }

  void startConsumer() {
    SimConsumer consumer = new SimConsumer("c" + (consumers.size() + 1), this, plant);
    consumers.add(consumer);
    alive.add(consumer);
    history.add(consumer.name(), "starts");
    turns.run(consumer, SimConsumer.Turn.POLL, consumer::start);
  }

  boolean isAllProduced() {
    return toProduce == 0;
  }

  void check() {
    alive.forEach(SimConsumer::check);
    if (database.mostOverBudget() > 0) {
      throw new Violation("I4", database.mostOverBudget() + " locks too many in a transaction");
    }
    if (database.storedTwice() > 0) {
      throw new Violation("I2", database.storedTwice() + " rows of keys that have one already");
    }
  }

  /** Those whose process runs, frozen ones included. */
  List<SimConsumer> alive() {
    return alive;
  }

  void died(SimConsumer consumer) {
    alive.remove(consumer);
  }

  void produce(int events) {
    for (int i = 0; i < events && toProduce > 0; i++) {
      TopicPartition partition = any(scenario.partitions());
      SimLog log = broker.log(partition);
      if (random.nextInt(12) == 0) {
        log.addGap();
      }
      log.add(workload.next(partition, log.end()));
      toProduce--;
    }
  }

  <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
