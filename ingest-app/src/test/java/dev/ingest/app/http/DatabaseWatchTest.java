package dev.ingest.app.http;

import static dev.ingest.app.http.Consumers.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.pipeline.IngestConsumer.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DatabaseWatchTest {
  private final AtomicInteger asked = new AtomicInteger();
  private Instant now = NOW;
  private Optional<String> answer = Optional.of("the server is read-only");
  private final DatabaseWatch database =
      new DatabaseWatch(
          () -> {
            asked.incrementAndGet();
            return answer;
          },
          () -> now);

  @Test
  void aCommitAMomentAgoIsProofEnough() {
    assertThat(database.problem(committed(NOW.minusSeconds(4)))).isEmpty();
    assertThat(asked).hasValue(0);
  }

  @Test
  void anIdleProcessAsksAndTheAnswerHoldsForAMoment() {
    assertThat(database.problem(committed(NOW.minusSeconds(5)))).isEqualTo(answer);
    now = NOW.plusMillis(1999);
    database.problem(List.of());
    assertThat(asked).hasValue(1);

    answer = Optional.empty();
    now = NOW.plusMillis(2000);
    assertThat(database.problem(List.of())).isEmpty();
  }

  @Test
  void nobodyQueuesBehindADatabaseThatDoesNotAnswer() {
    CompletableFuture<Void> inCheck = new CompletableFuture<>();
    CompletableFuture<Optional<String>> reply = new CompletableFuture<>();
    DatabaseWatch slow =
        new DatabaseWatch(
            () -> {
              inCheck.complete(null);
              return reply.join();
            },
            () -> now);
    CompletableFuture<Optional<String>> first =
        CompletableFuture.supplyAsync(() -> slow.problem(List.of()));
    inCheck.join();

    assertThat(slow.problem(List.of())).contains("the database has not answered yet");

    reply.complete(Optional.empty());
    assertThat(first.join()).isEmpty();
  }

  private static List<ConsumerStatus> committed(Instant at) {
    return List.of(
        new ConsumerStatus(
            "consumer-0",
            State.RUNNING,
            Optional.empty(),
            true,
            new TreeMap<>(),
            new TreeMap<>(),
            NOW,
            NOW,
            at,
            Map.of(),
            List.of()));
  }
}
