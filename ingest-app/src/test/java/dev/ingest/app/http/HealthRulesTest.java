package dev.ingest.app.http;

import static dev.ingest.app.http.Consumers.NOW;
import static dev.ingest.app.http.Consumers.diskFull;
import static dev.ingest.app.http.Consumers.running;
import static dev.ingest.app.http.Consumers.watch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.pipeline.IngestConsumer.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthRulesTest {
  private static final LoopBounds BOUNDS =
      new LoopBounds(Duration.ofSeconds(60), Duration.ofSeconds(90), Duration.ofSeconds(300));

  private final ConsumerWatch watch = watch("consumer-0");

  @Test
  void aConsumerWhoseLoopsTurnIsAlive() {
    assertThat(alive(State.RUNNING, NOW.minusSeconds(60), NOW.minusSeconds(90)).ok()).isTrue();
  }

  @Test
  void aLoopThatPassedItsBoundIsNamed() {
    assertThat(alive(State.RUNNING, NOW.minusSeconds(61), NOW).problems())
        .containsExactly("consumer-0 has not polled for 61 s, bound=60 s");
    assertThat(alive(State.RUNNING, NOW, NOW.minusSeconds(91)).problems())
        .containsExactly("consumer-0 has not written for 91 s, bound=90 s");
  }

  @Test
  void aFailedConsumerIsNotAliveAndAStoppedOneIsNoProblem() {
    assertThat(alive(State.FAILED, NOW, NOW).ok()).isFalse();
    assertThat(alive(State.STOPPED, Instant.EPOCH, Instant.EPOCH).ok()).isTrue();
    assertThat(alive(State.DRAINING, Instant.EPOCH, Instant.EPOCH).ok()).isTrue();
  }

  @Test
  void aPauseIsNoReasonToRestart() {
    watch.paused(diskFull());

    assertThat(HealthRules.alive(List.of(running(watch)), BOUNDS, NOW).ok()).isTrue();
  }

  @Test
  void readyOnceTheGroupHasToldTheAssignmentEvenIfItIsEmpty() {
    assertThat(ready().problems())
        .containsExactly("consumer-0 waiting for the group to assign partitions");

    watch.assigned(List.of());
    assertThat(ready().ok()).isTrue();
  }

  @Test
  void notReadyWhilePausedAndReadyAgainAfterwards() {
    watch.assigned(List.of());
    watch.paused(diskFull());
    assertThat(ready().problems())
        .containsExactly("consumer-0 paused: sqlstate=53100 could not extend file");

    watch.resumed(Duration.ofSeconds(3));
    assertThat(ready().ok()).isTrue();
  }

  @Test
  void aFaultThatStopsManyConsumersIsToldOnce() {
    ConsumerWatch other = watch("consumer-1");
    watch.paused(diskFull());
    other.paused(diskFull());

    assertThat(
            HealthRules.ready(List.of(running(watch), running(other)), Optional.empty()).problems())
        .containsExactly("consumer-0, consumer-1 paused: sqlstate=53100 could not extend file");
  }

  @Test
  void notReadyAfterThePartitionsWereLost() {
    watch.assigned(List.of());
    watch.lost(List.of());

    assertThat(ready().ok()).isFalse();
  }

  @Test
  void notReadyWithoutConsumersOrWithOneThatDrains() {
    watch.assigned(List.of());

    assertThat(HealthRules.ready(List.of(), Optional.empty()).ok()).isFalse();
    assertThat(
            HealthRules.ready(List.of(watch.status(State.DRAINING, NOW, NOW)), Optional.empty())
                .problems())
        .containsExactly("consumer-0 draining");
  }

  @Test
  void notReadyWhileTheDatabaseIsReadOnly() {
    watch.assigned(List.of());

    assertThat(
            HealthRules.ready(List.of(running(watch)), Optional.of("the server is read-only"))
                .problems())
        .containsExactly("database not writable: the server is read-only");
  }

  private Verdict alive(State state, Instant lastPoll, Instant lastWrite) {
    return HealthRules.alive(List.of(watch.status(state, lastPoll, lastWrite)), BOUNDS, NOW);
  }

  private Verdict ready() {
    return HealthRules.ready(List.of(running(watch)), Optional.empty());
  }
}
