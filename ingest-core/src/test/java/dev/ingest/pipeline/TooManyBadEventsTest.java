package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.Routes;
import dev.ingest.plan.ShareLimit;
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

/** A share of events that can't be stored above the limit pauses instead of parking on. */
class TooManyBadEventsTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private final EventLine line = EventLine.on("t", 0);
  private boolean refusing = true;
  private final InMemoryDatabase database =
      new InMemoryDatabase(50, event -> refusing && isRefused(event) ? "23514" : null);
  private final Tally tally = new Tally();
  private final List<StoreFault> pauses = new ArrayList<>();
  private final IngestEvents listener = IngestEvents.all(List.of(tally, new Pauses()));
  private final Handoff handoff =
      new Handoff(BatchLimits.of(100, 1 << 20, Duration.ZERO), listener);
  private final WriteLoop loop =
      new WriteLoop(
          handoff,
          new InMemoryEventStore(database, "t", new ScriptedFaults()),
          new ConsumerSettings(
              BatchLimits.of(100, 1 << 20, Duration.ZERO),
              LockScheme.perKey(),
              Routes.single(KeyReader.recordKey()),
              BadEvents.park(),
              new ShareLimit(0.5, Duration.ofMinutes(1), 4)),
          new FaultResponse(ConsumerSettings.QUICK, ConsumerSettings.SLOW, new Random(1), listener),
          listener,
          CLOCK);

  @Test
  void nothingIsParkedAndAllIsStoredOnceTheCauseIsMended() {
    put(refused(6));

    steps(100);
    assertThat(loop.isPaused()).isTrue();
    assertThat(pauses).hasSize(1);
    assertThat(pauses.get(0).kind()).isEqualTo(FaultKind.ENVIRONMENT);
    assertThat(pauses.get(0)).hasMessageContaining("bad=").hasMessageContaining("events=6");
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(6, 0, 0, 0, 0));
    assertThat(handoff.uncommitted()).isEmpty();
    refusing = false;
    steps(100);

    assertThat(loop.isPaused()).isFalse();
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(6, 6, 0, 0, 0));
    assertThat(handoff.uncommitted()).containsExactly(Map.entry(PARTITION, 6L));
  }

  @Test
  void eventsWithoutAKeyStayBadWhenTheOthersAreTriedAgain() {
    List<Event> events = new ArrayList<>(refused(6));
    events.add(line.withoutKey());
    put(events);
    steps(100);
    assertThat(loop.isPaused()).isTrue();

    refusing = false;
    steps(100);

    assertThat(tally.totals()).isEqualTo(new Tally.Totals(7, 6, 0, 1, 0));
  }

  @Test
  void shareWithinTheLimitIsParked() {
    List<Event> events = new ArrayList<>(refused(3));
    events.addAll(line.keys("a", "b", "c"));
    put(events);

    steps(100);

    assertThat(pauses).isEmpty();
    assertThat(tally.totals()).isEqualTo(new Tally.Totals(6, 3, 0, 3, 0));
  }

  private static boolean isRefused(Event event) {
    byte[] key = event.key();
    return key != null && key[0] == 'r';
  }

  private List<Event> refused(int events) {
    List<Event> refused = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      refused.addAll(line.keys("refused-" + i));
    }
    return refused;
  }

  private void steps(int steps) {
    for (int i = 0; i < steps && handoff.pending() > 0; i++) {
      loop.step();
    }
  }

  private void put(List<Event> events) {
    handoff.assign(List.of(PARTITION));
    long next = events.get(events.size() - 1).offset() + 1;
    handoff.put(new Polled(events, Map.of(PARTITION, next)), CLOCK.instant());
  }

  private final class Pauses implements IngestEvents {
    @Override
    public void paused(StoreFault fault) {
      pauses.add(fault);
    }
  }
}
