package dev.ingest.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.testkit.EventLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollLoopTest {
  private static final TopicPartition P0 = new TopicPartition("t", 0);
  private static final TopicPartition P1 = new TopicPartition("t", 1);

  private final EventLine line = EventLine.on("t", 0);
  private final ScriptedSource source = new ScriptedSource();
  private final List<String> told = new ArrayList<>();
  private final Handoff handoff =
      new Handoff(new BatchLimits(2, 1 << 20, Duration.ZERO, 4, 1 << 20), new Told());
  private Instant now = Instant.EPOCH;
  private boolean drains = true;
  private final PollLoop loop =
      new PollLoop(source, handoff, partitions -> drains, new Told(), () -> now);

  @BeforeEach
  void join() {
    loop.start();
    source.assigns(P0);
    loop.step();
  }

  @Test
  void offsetIsCommittedOnlyWhenTheWriterIsDone() {
    poll(line.keys("a", "b"));
    loop.step();
    assertThat(source.commits).isEmpty();

    write();
    later();

    assertThat(source.commits).containsExactly(Map.of(P0, 2L));
  }

  @Test
  void offsetIsCommittedAgainUntilItIsAcknowledged() {
    poll(line.keys("a"));
    write();
    later();
    later();
    assertThat(source.commits).containsExactly(Map.of(P0, 1L), Map.of(P0, 1L));

    source.acknowledge();
    later();
    later();

    assertThat(source.commits).hasSize(2);
    assertThat(told).contains("committed {t-0=1}");
  }

  @Test
  void commitsAreAtLeastAMomentApart() {
    for (String key : List.of("a", "b", "c")) {
      poll(line.keys(key));
      write();
      loop.step();
    }

    assertThat(source.commits).hasSize(1);
  }

  @Test
  void offsetPassesControlRecordsBehindTheLastEvent() {
    source.returns(new Polled(line.keys("a"), Map.of(P0, 1L)));
    source.returns(new Polled(List.of(), Map.of(P0, 9L)));
    loop.step();
    loop.step();

    write();
    later();

    assertThat(source.commits).containsExactly(Map.of(P0, 9L));
  }

  @Test
  void fullBufferPausesAndRoomResumes() {
    poll(line.keys("a", "b", "c", "d"));
    assertThat(source.paused).containsExactly(P0);

    write();
    write();
    loop.step();

    assertThat(source.paused).isEmpty();
  }

  @Test
  void partitionsAssignedWhileTheBufferIsFullArePausedAtOnce() {
    poll(line.keys("a", "b", "c", "d"));
    source.does(
        listener -> {
          source.assigned.add(P1);
          listener.assigned(List.of(P1));
          assertThat(source.paused).contains(P1);
          return Polled.NOTHING;
        });

    loop.step();

    assertThat(source.paused).containsExactly(P0, P1);
  }

  @Test
  void revokedPartitionIsDrainedAndItsOffsetCommittedBeforeItGoes() {
    poll(line.keys("a", "b", "c"));
    write();
    source.revokes(P0);

    loop.step();

    assertThat(source.calls).containsExactly("commitNow {t-0=2}");
    assertThat(told).contains("released 1", "revoked [t-0] drained=true");
    assertThat(handoff.pending()).isZero();
    assertThat(handoff.take(now)).isEmpty();
  }

  @Test
  void batchThatIsStillOutMovesNoOffsetOfARevokedPartition() {
    poll(line.keys("a", "b"));
    handoff.take(now);
    drains = false;
    source.revokes(P0).assigns(P0);
    loop.step();
    loop.step();

    handoff.done();
    later();

    assertThat(source.calls).isEmpty();
    assertThat(source.commits).isEmpty();
    assertThat(told).contains("revoked [t-0] drained=false");
  }

  @Test
  void nothingIsCommittedForLostPartitions() {
    poll(line.keys("a", "b", "c"));
    write();
    source.loses(P0);
    loop.step();
    later();

    assertThat(source.calls).isEmpty();
    assertThat(source.commits).isEmpty();
    assertThat(told).contains("released 1", "lost [t-0]");
  }

  @Test
  void refusedCommitOfARevokedPartitionIsLeftToTheNextOwner() {
    source.acceptsCommits = false;
    poll(line.keys("a"));
    write();
    source.revokes(P0);
    loop.step();
    later();

    assertThat(source.commits).isEmpty();
    assertThat(told).noneMatch(line -> line.startsWith("committed"));
  }

  @Test
  void otherPartitionsKeepWhatWaits() {
    source.assigns(P1);
    loop.step();
    List<Event> others = EventLine.on("t", 1).keys("x");
    source.returns(new Polled(others, Map.of(P1, 1L)));
    poll(line.keys("a"));
    source.revokes(P0);
    loop.step();
    loop.step();

    assertThat(handoff.take(now)).isEqualTo(others);
  }

  @Test
  void lagIsToldOnceASecond() {
    int before = told.size();
    loop.step();
    loop.step();
    assertThat(told).hasSize(before);

    now = now.plusSeconds(1);
    loop.step();

    assertThat(told).last().isEqualTo("lag {t-0=0}");
  }

  @Test
  void closeLeavesTheGroup() {
    loop.close(Duration.ofSeconds(3));

    assertThat(source.calls).containsExactly("close PT3S");
  }

  private void poll(List<Event> events) {
    long next = events.get(events.size() - 1).offset() + 1;
    source.returns(new Polled(events, Map.of(P0, next)));
    loop.step();
  }

  private void write() {
    assertThat(handoff.take(now)).isNotEmpty();
    handoff.done();
  }

  private void later() {
    now = now.plusMillis(200);
    loop.step();
  }

  private final class Told implements IngestEvents {
    @Override
    public void released(String topic, int events) {
      told.add("released " + events);
    }

    @Override
    public void revoked(Collection<TopicPartition> partitions, boolean drained) {
      told.add("revoked " + partitions + " drained=" + drained);
    }

    @Override
    public void lost(Collection<TopicPartition> partitions) {
      told.add("lost " + partitions);
    }

    @Override
    public void lag(Map<TopicPartition, Long> events) {
      told.add("lag " + events);
    }

    @Override
    public void offsetsCommitted(Map<TopicPartition, Long> nextOffsets, Duration took) {
      told.add("committed " + nextOffsets);
    }
  }
}
