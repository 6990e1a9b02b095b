package dev.ingest.sim;

import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.InMemoryDatabase.Position;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.RejectedEvent;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Sends bad events to a topic instead of parking them; acknowledged before the chunk goes on. */
final class DeadLetters implements BadEvents {
  private final Set<Position> topic;
  private final Ledger ledger;
  private final IngestEvents listener;
  private final RandomGenerator random;
  private final int faultsPerThousand;

  /**
   * @param topic what all consumers have sent
   */
  DeadLetters(
      Set<Position> topic,
      Ledger ledger,
      IngestEvents listener,
      RandomGenerator random,
      int faultsPerThousand) {
    this.topic = topic;
    this.ledger = ledger;
    this.listener = listener;
    this.random = random;
    this.faultsPerThousand = faultsPerThousand;
  }

  @Override
  public Chunk handle(Chunk chunk, List<RejectedEvent> rejected, Instant now) {
    boolean fails = random.nextInt(1000) < faultsPerThousand;
    if (fails && random.nextBoolean()) {
      throw unavailable();
    }
    rejected.forEach(each -> topic.add(Position.of(each.event())));
    if (fails) { // sent, but the acknowledgement is lost
      throw unavailable();
    }
    ledger.keptElsewhere(rejected);
    listener.deadLettered(chunk.topic(), rejected.size());
    return chunk.without(rejected);
  }

  private static StoreFault unavailable() {
    return new StoreFault(FaultKind.ENVIRONMENT, null, "dead-letter topic is away", null);
  }

  static Set<Position> newTopic() {
    return new HashSet<>();
  }
}
