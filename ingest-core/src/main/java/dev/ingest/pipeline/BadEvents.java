package dev.ingest.pipeline;

import dev.ingest.plan.Chunk;
import dev.ingest.plan.RejectedEvent;
import java.time.Instant;
import java.util.List;

/** What is done with events that can't be stored. Called on the writing thread. */
@FunctionalInterface
public interface BadEvents {

  /** Keeps them beside the target, in the transaction that stores the rest. */
  static BadEvents park() {
    return (chunk, rejected, now) -> chunk.parking(rejected);
  }

  /**
   * Keeps them in another place, before the offset may move past them. They count as parked.
   *
   * @param listener told of them once they are kept
   */
  static BadEvents deadLetter(DeadLetters letters, IngestEvents listener) {
    return (chunk, rejected, now) -> {
      letters.keep(chunk.route(), rejected);
      listener.deadLettered(chunk.route(), chunk.topic(), rejected.size());
      return chunk.without(rejected);
    };
  }

  /**
   * Decides, and does what must be done outside the transaction.
   *
   * @return the chunk to write instead
   * @throws StoreFault where it can't be done now; the call is made again
   * @throws dev.ingest.event.IngestException where the consumer is to stop
   */
  Chunk handle(Chunk chunk, List<RejectedEvent> rejected, Instant now);
}
