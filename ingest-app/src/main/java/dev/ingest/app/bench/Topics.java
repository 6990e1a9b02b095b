package dev.ingest.app.bench;

import dev.ingest.app.send.SendPlan;
import dev.ingest.app.send.Sender;
import dev.ingest.app.send.Telemetry;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;

/** Topics of one measurement, under names that nobody else has; they go with it. */
public final class Topics implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String bootstrap;
  private final String prefix =
      "ingest-bench-" + HexFormat.of().toHexDigits(new SplittableRandom().nextLong(), 8) + "-";
  private final List<String> made = new ArrayList<>();
  private final List<String> groups = new ArrayList<>();

  Topics(String bootstrap) {
    this.bootstrap = bootstrap;
  }

  public String bootstrap() {
    return bootstrap;
  }

  /** Makes an empty topic and returns its full name. */
  public String make(String name, int partitions) {
    String topic = prefix + name;
    try (Admin admin = admin()) {
      await(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all());
    }
    made.add(topic);
    return topic;
  }

  /**
   * Makes a topic that holds made-up readings, each with a key of its own, and returns its name.
   */
  public String preload(String name, int partitions, long events, long seed) {
    String topic = make(name, partitions);
    SendPlan plan = new SendPlan(topic, "/id", 1, 0, false, seed);
    try (Sender sender = new Sender(Map.of("bootstrap.servers", bootstrap), plan)) {
      sender.send(() -> Telemetry.readings(events, seed), sent -> {});
    }
    return topic;
  }

  /** A consumer group that nobody else uses. */
  public String group(String name) {
    String group = prefix + groups.size() + "-" + name;
    groups.add(group);
    return group;
  }

  /**
   * Waits until every member of the group has its partitions.
   *
   * @param gone says that nobody will join any more, which ends the wait
   */
  public void awaitStable(String group, BooleanSupplier gone) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (Admin admin = admin()) {
      while (!gone.getAsBoolean() && !isStable(admin, group)) {
        if (System.nanoTime() > deadline) {
          throw new IngestException(
              Code.KAFKA_UNAVAILABLE, "group=" + group + " did not come together in 60 s.");
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("waiting for a group", stopped);
    }
  }

  private static boolean isStable(Admin admin, String group) throws InterruptedException {
    try {
      return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
          .allMatch(each -> each.groupState().equals(GroupState.STABLE));
    } catch (ExecutionException notYet) {
      return false;
    }
  }

  /** Removes the topics and groups, as far as the brokers let it. */
  @Override
  public void close() {
    if (made.isEmpty()) {
      return;
    }
    try (Admin admin = admin()) {
      await(admin.deleteTopics(made).all());
      var unused = admin.deleteConsumerGroups(groups).all();
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap));
  }

  private static void await(KafkaFuture<Void> done) {
    try {
      done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException refused) {
      throw new IngestException(
          Code.KAFKA_UNAVAILABLE,
          "topics of the benchmark can't be made or removed: "
              + (refused.getCause() == null ? refused : refused.getCause()),
          refused);
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("work on topics", stopped);
    }
  }
}
