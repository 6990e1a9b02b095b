package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.FaultInjection.LostReply;
import dev.ingest.pipeline.FaultInjection.Point;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.Tombstones;
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
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a batch that is out when a partition of it goes to another consumer. */
class LettingGoTest {
  private static final TopicPartition GOES = new TopicPartition("t", 0);
  private static final TopicPartition STAYS = new TopicPartition("t", 1);
  private static final EventReader KEYS = KeyReader.recordKey();

  private final InMemoryDatabase database = new InMemoryDatabase(50, new JsonLikeValues());
  private final ScriptedFaults script = new ScriptedFaults();
  private final Tally tally = new Tally();
  private final List<Duration> resumed = new ArrayList<>();
  private final IngestEvents listener = IngestEvents.all(List.of(tally, new Resumed()));
  private final Handoff handoff =
      new Handoff(BatchLimits.of(100, 1 << 20, Duration.ZERO), listener);

  @Test
  void deletingBatchWritesNoFurtherChunkOfAPartitionThatWent() {
    WriteLoop loop = loop(Tombstones.deleting(KEYS), script);
    database.restart(2);
    put();
    loop.step();

    handoff.forget(List.of(GOES));
    drain(loop);

    assertThat(database.rows().values())
        .filteredOn(event -> event.partition().equals(GOES))
        .hasSizeLessThan(3);
    assertThat(database.rows()).containsKeys("x", "y");
    assertThat(tally.totals().polled()).isEqualTo(database.rows().size()).isLessThan(5);
    assertThat(tally.totals().accounted()).isEqualTo(tally.totals().polled());
  }

  @Test
  void otherBatchIsWrittenToItsEnd() {
    WriteLoop loop = loop(KEYS, script);
    database.restart(2);
    put();
    loop.step();

    handoff.forget(List.of(GOES));
    drain(loop);

    assertThat(database.rows()).hasSize(5);
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(5, 5, 0, 0, 0));
  }

  /** The last moment is right before COMMIT. */
  @ParameterizedTest
  @EnumSource(
      value = Point.class,
      names = {"CONNECT", "LOCK", "INSERT"})
  void deletingTransactionIsTakenBackWhereItsPartitionGoesWhileItRuns(Point when) {
    WriteLoop loop =
        loop(
            Tombstones.deleting(KEYS),
            point -> {
              if (point == when && database.rows().isEmpty()) {
                handoff.forget(List.of(GOES));
              }
              return null;
            });
    put();

    drain(loop);

    assertThat(database.rows()).containsOnlyKeys("x", "y");
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(2, 2, 0, 0, 0));
    assertThat(handoff.uncommitted()).containsExactly(Map.entry(STAYS, 2L));
  }

  @Test
  void transactionWhoseReplyWasLostIsNotRepeatedOnceItsPartitionWent() {
    WriteLoop loop = loop(Tombstones.deleting(KEYS), script);
    put();
    script.then(Point.COMMIT, new LostReply(TransactionStatus.ABORTED, false));
    loop.step();

    handoff.forget(List.of(GOES));
    drain(loop);

    assertThat(database.rows()).containsOnlyKeys("x", "y");
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(2, 2, 0, 0, 0));
  }

  /** A pause ends when the server answers, also where nothing is left to write. */
  @Test
  void pauseEndsThoughNothingIsLeft() {
    WriteLoop loop = loop(Tombstones.deleting(KEYS), script);
    put();
    script.then(Point.CONNECT, "08006").then(Point.CONNECT, "08006").then(Point.CONNECT, "08006");
    loop.step();

    handoff.forget(List.of(GOES, STAYS));
    loop.step();
    assertThat(loop.isPaused()).isTrue();
    for (int i = 0; i < 10 && !loop.isIdle(); i++) {
      loop.step();
    }

    assertThat(loop.isPaused()).isFalse();
    assertThat(resumed).hasSize(1);
    assertThat(database.rows()).isEmpty();
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(0, 0, 0, 0, 0));
  }

  private void put() {
    List<Event> events = new ArrayList<>(EventLine.on("t", 0).keys("a", "b", "c"));
    events.addAll(EventLine.on("t", 1).keys("x", "y"));
    handoff.assign(List.of(GOES, STAYS));
    handoff.put(new Polled(events, Map.of(GOES, 3L, STAYS, 2L)), Instant.EPOCH);
  }

  private void drain(WriteLoop loop) {
    loop.step();
    for (int i = 0; i < 100 && !loop.isIdle(); i++) {
      loop.step();
    }
    assertThat(loop.isIdle()).isTrue();
  }

  private WriteLoop loop(EventReader reader, FaultInjection faults) {
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    return new WriteLoop(
        handoff,
        new InMemoryEventStore(database, "t", faults),
        new ConsumerSettings(
            BatchLimits.of(100, 1 << 20, Duration.ZERO),
            LockScheme.perKey(),
            reader,
            BadEvents.park()),
        new FaultResponse(ConsumerSettings.QUICK, ConsumerSettings.SLOW, new Random(1), listener),
        listener,
        clock);
  }

  private final class Resumed implements IngestEvents {
    @Override
    public void resumed(Duration pausedFor) {
      resumed.add(pausedFor);
    }
  }
}
