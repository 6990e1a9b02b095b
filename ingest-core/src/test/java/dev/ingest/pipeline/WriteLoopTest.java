package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.FaultInjection.LostReply;
import dev.ingest.pipeline.FaultInjection.Point;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.Reading;
import dev.ingest.testkit.EventLine;
import dev.ingest.testkit.Tally;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The moves of one state machine, in one piece: most tests share the same store that fails on
 * demand.
 */
class WriteLoopTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private final EventLine line = EventLine.on("t", 0);
  private final InMemoryDatabase database = new InMemoryDatabase(50, new JsonLikeValues());
  private final ScriptedFaults script = new ScriptedFaults();
  private final Tally tally = new Tally();
  private final List<Chunk> applied = new ArrayList<>();
  private final IngestEvents listener = IngestEvents.all(List.of(tally, new Chunks()));
  private final Handoff handoff =
      new Handoff(BatchLimits.of(100, 1 << 20, Duration.ZERO), listener);
  private WriteLoop loop = loop(BadEvents.park());

  @Test
  void idleLoopWaitsForTheHandoff() {
    assertThat(loop.step()).isEqualTo(Handoff.FOREVER);
    assertThat(loop.isIdle()).isTrue();
  }

  @Test
  void offsetsFollowOnlyWhenTheWholeBatchIsStored() {
    database.restart(2);
    put(line.keys("a", "b", "c", "d", "e"));

    loop.step();
    loop.step();
    assertThat(handoff.uncommitted()).isEmpty();
    assertThat(loop.isIdle()).isFalse();
    drain();

    assertThat(applied).hasSize(3).allMatch(chunk -> chunk.locks().size() <= 2);
    assertThat(handoff.uncommitted()).containsExactly(Map.entry(PARTITION, 5L));
  }

  @Test
  void chunkIsCutAgainWhenTheServerThatComesBackAllowsFewerLocks() {
    put(line.keys("a", "b", "c", "d", "e"));
    script.then(Point.COMMIT, "40001");
    loop.step();
    database.restart(2);

    drain();

    assertThat(database.mostOverBudget()).isZero();
    assertThat(applied).hasSize(3);
    assertCounts(5, 5, 0, 0);
  }

  @Test
  void fullLockTableHalvesTheChunk() {
    put(line.keys("a", "b", "c", "d", "e"));
    database.restart(4);
    script.then(Point.LOCK, "53200");

    drain();

    assertThat(applied).allMatch(chunk -> chunk.locks().size() <= 2);
    assertCounts(5, 5, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "55P03", "08006", "53100", "42501", "26000", "25006"})
  void faultIsRetriedAfterAPauseAndNothingIsParked(String sqlState) {
    put(line.keys("a", "b"));
    script.then(Point.INSERT, sqlState).then(Point.INSERT, sqlState);

    assertThat(loop.step()).isPositive();
    assertThat(loop.step()).isPositive();
    drain();

    assertCounts(2, 2, 0, 0);
  }

  @Test
  void stateThatNobodyKnowsStopsTheLoop() {
    put(line.keys("a"));
    script.then(Point.INSERT, "ZZ999");

    assertThatThrownBy(loop::step)
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("sqlstate=ZZ999");
    assertThat(handoff.uncommitted()).isEmpty();
  }

  @Test
  void lostReplyIsCountedOnceWhetherTheCommitWasDoneOrNot() {
    database.restart(2);
    put(line.keys("a", "b", "c", "d", "a"));
    script
        .then(Point.COMMIT, new LostReply(TransactionStatus.COMMITTED, false))
        .then(Point.COMMIT, new LostReply(TransactionStatus.ABORTED, false));

    drain();

    assertThat(database.rows()).hasSize(4);
    assertCounts(5, 4, 1, 0);
  }

  @Test
  void loopWaitsForATransactionThatStillRuns() {
    put(line.keys("a"));
    script.then(Point.COMMIT, new LostReply(TransactionStatus.COMMITTED, true));
    loop.step();

    assertThat(loop.step()).isPositive();
    assertThat(loop.step()).isPositive();
    database.settleOne();
    drain();

    assertCounts(1, 1, 0, 0);
  }

  @Test
  void replyIsLostTwiceForAChunkThatParks() {
    put(List.of(line.event("a", "{}"), line.bad("b")));
    loop.step();
    script
        .then(Point.COMMIT, new LostReply(TransactionStatus.COMMITTED, false))
        .then(Point.COMMIT, new LostReply(TransactionStatus.ABORTED, false));

    drain();

    assertCounts(2, 1, 0, 1);
  }

  @Test
  void chunkIsCutAgainAfterALostReply() {
    put(line.keys("a", "b", "c", "d"));
    script.then(Point.COMMIT, new LostReply(TransactionStatus.COMMITTED, false));
    loop.step();
    loop.step();
    database.restart(2);
    script.then(Point.LOCK, "53200");

    drain();

    assertThat(applied).hasSizeGreaterThan(1);
    assertCounts(4, 4, 0, 0);
  }

  @Test
  void commitThatAFailoverHasLostIsMadeGood() {
    put(line.keys("a", "b"));
    script.then(Point.COMMIT, new LostReply(TransactionStatus.COMMITTED, false));
    loop.step();
    loop.step();
    database.rows().clear();

    drain();

    assertThat(database.rows()).containsOnlyKeys("a", "b");
    assertCounts(2, 2, 0, 0);
  }

  @Test
  void badEventsAreParkedAndTheRestIsStored() {
    put(List.of(line.bad("a"), line.event("a", "{}"), line.bad("b"), line.withoutKey()));

    drain();

    assertCounts(4, 1, 0, 3);
    assertThat(database.rows().get("a").offset()).isEqualTo(1);
  }

  @Test
  void decisionOnABadEventIsAskedForOnceThoughTheChunkIsCutAgain() {
    List<Event> kept = new ArrayList<>();
    loop =
        loop(
            (chunk, rejected, now) -> {
              rejected.forEach(each -> kept.add(each.event()));
              return chunk.without(rejected);
            });
    List<Event> bad = List.of(line.bad("x"), line.withoutKey());
    put(List.of(line.event("a", "{}"), bad.get(0), line.event("c", "{}"), bad.get(1)));
    loop.step();
    script.then(Point.LOCK, "53200").then(Point.LOCK, "53200");

    drain();

    assertThat(kept).containsExactlyInAnyOrderElementsOf(bad);
    assertThat(database.rows()).containsOnlyKeys("a", "c");
  }

  @Test
  void decisionThatCannotBeMadeNowIsAskedForAgain() {
    List<StoreFault> failures = new ArrayList<>();
    loop =
        loop(
            (chunk, rejected, now) -> {
              if (failures.isEmpty()) {
                failures.add(new StoreFault(FaultKind.ENVIRONMENT, null, "away", null));
                throw failures.get(0);
              }
              return chunk.parking(rejected);
            });
    put(List.of(line.bad("x")));

    drain();

    assertThat(failures).hasSize(1);
    assertCounts(1, 0, 0, 1);
  }

  @Test
  void stopPolicyLeavesTheOffset() {
    loop =
        loop(
            (chunk, rejected, now) -> {
              throw new IngestException(
                  IngestException.Code.BAD_EVENT, "at " + rejected.get(0).event());
            });
    put(List.of(line.bad("x")));
    loop.step();

    assertThatThrownBy(loop::step).isInstanceOf(IngestException.class);
    assertThat(handoff.uncommitted()).isEmpty();
  }

  @Test
  void skippedEventsAreToldAndTheirOffsetIsDone() {
    FaultResponse faults = faults();
    ConsumerSettings settings =
        new ConsumerSettings(
            BatchLimits.of(100, 1 << 20, Duration.ZERO),
            LockScheme.perKey(),
            event -> new Reading.Skipped(),
            BadEvents.park());
    loop =
        new WriteLoop(
            handoff,
            new InMemoryEventStore(database, "t", script),
            settings,
            faults,
            listener,
            CLOCK);
    put(line.keys("a", "b"));

    drain();

    assertThat(tally.totals()).isEqualTo(new Tally.Totals(2, 0, 0, 0, 2));
    assertThat(handoff.uncommitted()).containsExactly(Map.entry(PARTITION, 2L));
  }

  private void drain() {
    for (int i = 0; i < 1000 && handoff.pending() > 0; i++) {
      database.settleOne(); // what lost its connection holds its locks until the server notices
      loop.step();
    }
    assertThat(handoff.pending()).isZero();
  }

  private void put(List<Event> events) {
    handoff.assign(List.of(PARTITION));
    long next = events.get(events.size() - 1).offset() + 1;
    handoff.put(new Polled(events, Map.of(PARTITION, next)), CLOCK.instant());
  }

  private void assertCounts(int polled, int inserted, int duplicates, int parked) {
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(polled, inserted, duplicates, parked, 0));
  }

  private WriteLoop loop(BadEvents badEvents) {
    ConsumerSettings settings =
        new ConsumerSettings(
            BatchLimits.of(100, 1 << 20, Duration.ZERO),
            LockScheme.perKey(),
            KeyReader.recordKey(),
            badEvents);
    return new WriteLoop(
        handoff,
        new InMemoryEventStore(database, "t", script),
        settings,
        faults(),
        listener,
        CLOCK);
  }

  private FaultResponse faults() {
    return new FaultResponse(
        ConsumerSettings.QUICK, ConsumerSettings.SLOW, new Random(1), listener);
  }

  private final class Chunks implements IngestEvents {
    @Override
    public void applied(Chunk chunk, WriteOutcome.Applied outcome, Instant at) {
      applied.add(chunk);
    }
  }
}
