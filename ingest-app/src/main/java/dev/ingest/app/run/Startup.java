package dev.ingest.app.run;

import dev.ingest.app.config.Config;
import dev.ingest.app.config.ErrorSettings.BadEvent;
import dev.ingest.app.config.JobSettings;
import dev.ingest.app.config.JobSettings.Publish;
import dev.ingest.app.config.Topics;
import dev.ingest.app.schema.Migrations;
import dev.ingest.app.schema.SchemaCheck;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.kafka.RefusedSettings;
import dev.ingest.plan.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must be there before the first poll: the topics and the schema. A server that is away is
 * waited for, however long; what no waiting mends is thrown. One thread, but for {@link
 * #waitingFor}.
 */
public final class Startup {
  private static final Logger LOG = LoggerFactory.getLogger(Startup.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));
  private static final Duration REMINDER = Duration.ofMinutes(1);

  private final Config config;
  private final CountDownLatch stop;
  private final SplittableRandom random = new SplittableRandom();
  private volatile Optional<String> waitingFor = Optional.of("topics and schema");

  /**
   * @param stop ends all waiting once it is counted down
   */
  public Startup(Config config, CountDownLatch stop) {
    this.config = config;
    this.stop = stop;
  }

  /**
   * Makes sure of everything, in a thread of its own, so that the process is built and serves
   * meanwhile. What it gives ends with an {@link IngestException} where something is missing or
   * refused.
   *
   * @param migrate whether to migrate the schema, or only to check it
   * @param built whether the process could be built: the schema is not migrated before
   * @return false where it was asked to stop before all servers answered, or could not be built
   */
  public CompletableFuture<Boolean> runBeside(boolean migrate, CompletableFuture<Boolean> built) {
    return CompletableFuture.supplyAsync(
        () -> run(migrate, built),
        task -> {
          Thread thread = new Thread(task, "startup");
          thread.setDaemon(true);
          thread.start();
        });
  }

  /** What is in the way of the first poll, empty where nothing is any more. From any thread. */
  public Optional<String> waitingFor() {
    return waitingFor;
  }

  private boolean run(boolean migrate, CompletableFuture<Boolean> built) {
    boolean ready =
        findTopics() && (!migrate || built.join()) && prepareSchema(migrate) && checkTargets();
    waitingFor = ready ? Optional.empty() : waitingFor;
    return ready;
  }

  private boolean prepareSchema(boolean migrate) {
    return await(
        Code.POSTGRES_UNAVAILABLE,
        () -> {
          if (migrate) {
            new Migrations(Pools.forMigrations(config.postgres())).migrate();
          } else {
            SchemaCheck.require(Pools.single(config.postgres()));
          }
        });
  }

  /** Holds the mapping of every route against its table. */
  private boolean checkTargets() {
    return await(
        Code.POSTGRES_UNAVAILABLE,
        () -> {
          List<String> problems = TargetCheck.run(config);
          if (!problems.isEmpty()) {
            throw new IngestException(
                Code.TARGET_INVALID,
                problems.size() + " problems. " + String.join(". ", problems) + ".");
          }
        });
  }

  /** Looks for the topics that are named; a pattern may match topics that are yet to come. */
  private boolean findTopics() {
    List<String> names = new ArrayList<>();
    if (config.source().topics() instanceof Topics.Names topics) {
      names.addAll(topics.names());
    }
    config.jobs().stream()
        .map(JobSettings::action)
        .filter(Publish.class::isInstance)
        .forEach(action -> names.add(((Publish) action).topic()));
    if (config.errors().badEvent() == BadEvent.DEAD_LETTER) {
      names.add(config.errors().deadLetterTopic());
    }
    return names.isEmpty() || await(Code.KAFKA_UNAVAILABLE, () -> describe(names));
  }

  private void describe(List<String> names) {
    Map<String, Object> settings = new HashMap<>(config.kafka().properties());
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
    try (Admin admin = Admin.create(settings)) {
      admin.describeTopics(names).allTopicNames().get();
    } catch (ExecutionException refused) {
      throw failure(names, Objects.requireNonNull(refused.getCause()));
    } catch (KafkaException refused) {
      throw RefusedSettings.of(refused);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IngestException(Code.INTERNAL, "interrupted while starting", stopped);
    }
  }

  private IngestException failure(List<String> names, Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new IngestException(
          Code.TOPIC_MISSING,
          "one of the topics "
              + names
              + " does not exist; create it, or mend ingest.source.topics,"
              + " ingest.errors.dead-letter-topic and ingest.jobs.",
          cause);
    }
    Code code = cause instanceof RetriableException ? Code.KAFKA_UNAVAILABLE : Code.STORE_FAILED;
    return new IngestException(
        code,
        "ingest.kafka.bootstrap.servers="
            + config.kafka().properties().get("bootstrap.servers")
            + " does not answer as a broker that we may use: "
            + cause.getMessage(),
        cause);
  }

  /** Tries until it works, and says now and then that it is still waiting. */
  private boolean await(Code waitable, Runnable step) {
    Instant nextReminder = Instant.MIN;
    for (int attempt = 1; ; attempt++) {
      try {
        step.run();
        if (attempt > 1) {
          LOG.info("goes on: tries={}", attempt);
        }
        return true;
      } catch (IngestException failed) {
        if (failed.code() != waitable) {
          throw failed;
        }
        waitingFor = Optional.ofNullable(failed.getMessage());
        if (Instant.now().isAfter(nextReminder)) {
          LOG.warn("{} Waiting for it: tries={}", failed.getMessage(), attempt);
          nextReminder = Instant.now().plus(REMINDER);
        }
      }
      if (isStopAsked(BACKOFF.delay(attempt, random))) {
        return false;
      }
    }
  }

  private boolean isStopAsked(Duration delay) {
    try {
      return stop.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
