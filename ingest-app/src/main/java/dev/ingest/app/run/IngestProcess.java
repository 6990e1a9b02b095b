package dev.ingest.app.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.config.Config;
import dev.ingest.app.jobs.EventJobs;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.kafka.GapPolicy;
import dev.ingest.kafka.KafkaEventSource;
import dev.ingest.kafka.RefusedSettings;
import dev.ingest.kafka.Subscription;
import dev.ingest.pipeline.DeadLetters;
import dev.ingest.pipeline.IngestConsumer;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.plan.Routes;
import dev.ingest.postgres.PostgresEventStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The consumers of one process on one pool of connections. {@link #start} once; {@link #close} from
 * any thread, idempotent.
 */
public final class IngestProcess implements AutoCloseable {
  private final HikariDataSource pool;
  private final List<IngestConsumer> consumers;
  private final List<DeadLetters> letters;
  private final Duration closeTimeout;

  private IngestProcess(
      HikariDataSource pool,
      List<IngestConsumer> consumers,
      List<DeadLetters> letters,
      Duration closeTimeout) {
    this.pool = pool;
    this.consumers = List.copyOf(consumers);
    this.letters = List.copyOf(letters);
    this.closeTimeout = closeTimeout;
  }

  /** Builds everything and starts nothing; one listener is told of all consumers. */
  public static IngestProcess create(Config config, IngestEvents listener) {
    return create(config, name -> listener, source -> source, GapPolicy.STOP);
  }

  /**
   * Builds everything and starts nothing; settings that the Kafka client refuses end it here.
   *
   * @param listeners gives each consumer, by its name, the listener that is told of it
   * @param sources may add something to each consumer's source, before it is used
   * @param gaps decides where records are gone from a topic unread
   */
  public static IngestProcess create(
      Config config,
      Function<String, IngestEvents> listeners,
      UnaryOperator<KafkaEventSource> sources,
      GapPolicy gaps) {
    int count = config.source().consumers();
    for (int i = 0; i < count; i++) {
      RefusedSettings.check(CoreSettings.kafka(config, i), config.source().groupId());
    }
    // One connection for each writer and one for health questions.
    HikariDataSource pool = Pools.poolOfWriters(config.postgres(), count + 1);
    EventJobs eventJobs = new EventJobs(config.jobs());
    Routes routes = CoreSettings.routes(config);
    Subscription subscription = CoreSettings.subscription(config.source());
    List<IngestConsumer> consumers = new ArrayList<>();
    List<DeadLetters> allLetters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      String name = "consumer-" + i;
      IngestEvents listener = listeners.apply(name);
      Optional<DeadLetters> letters = CoreSettings.deadLetters(config);
      letters.ifPresent(allLetters::add);
      consumers.add(
          IngestConsumer.create(
              name,
              CoreSettings.consumer(
                  config, routes, CoreSettings.badEvents(config, letters, listener)),
              () ->
                  sources.apply(
                      new KafkaEventSource(
                          CoreSettings.kafka(config, number),
                          config.source().groupId(),
                          subscription,
                          gaps)),
              new PostgresEventStore(pool, CoreSettings.store(config), eventJobs),
              listener));
    }
    return new IngestProcess(pool, consumers, allLetters, config.closeTimeout());
  }

  public void start() {
    consumers.forEach(IngestConsumer::start);
  }

  public List<IngestConsumer> consumers() {
    return consumers;
  }

  /** The pool that the consumers share. */
  public HikariDataSource pool() {
    return pool;
  }

  /** Whether a consumer stopped for good. */
  public boolean hasFailed() {
    return consumers.stream().anyMatch(each -> each.state() == IngestConsumer.State.FAILED);
  }

  /** Why the first of the consumers that stopped for good did so; empty while none did. */
  public Optional<IngestException> failure() {
    return consumers.stream()
        .map(IngestConsumer::failure)
        .filter(Objects::nonNull)
        .findFirst()
        .map(IngestProcess::ours);
  }

  /** Another's message may hold a value. */
  private static IngestException ours(Throwable failure) {
    return failure instanceof IngestException ours
        ? ours
        : new IngestException(
            Code.INTERNAL,
            "a consumer ended by " + failure.getClass().getName() + ". Please report this.",
            failure);
  }

  /**
   * Drains all consumers at the same time, then closes the pool.
   *
   * @return whether all of them drained within the timeout
   */
  public boolean drain() {
    List<CompletableFuture<Boolean>> closing =
        IntStream.range(0, consumers.size())
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> consumers.get(i).close(closeTimeout),
                        each -> new Thread(each, "close-" + i).start()))
            .toList();
    boolean drained = closing.stream().allMatch(CompletableFuture::join);
    letters.forEach(DeadLetters::close);
    pool.close();
    return drained;
  }

  @Override
  public void close() {
    drain();
  }
}
