package dev.ingest.app.bench.scale;

import dev.ingest.app.bench.BenchFailure;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;

/** How far a group is in a topic that only it reads. Single-threaded. */
final class Progress implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Admin admin;
  private final String group;

  Progress(String bootstrap, String group) {
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    this.group = group;
  }

  /** Waits until so many members have partitions. */
  void awaitMembers(int members, BooleanSupplier running) {
    await("members=" + members, () -> members() == members, running);
  }

  /** Waits until so many events are committed. */
  void awaitCommitted(long events, BooleanSupplier running) {
    await("events=" + events, () -> committed() >= events, running);
  }

  /** Events whose offsets are committed. */
  long committed() {
    try {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .values()
          .stream()
          .filter(Objects::nonNull)
          .mapToLong(offset -> offset.offset())
          .sum();
    } catch (ExecutionException notYet) {
      return 0;
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("reading offsets", stopped);
    }
  }

  private long members() {
    try {
      return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
          .flatMap(each -> each.members().stream())
          .filter(member -> !member.assignment().topicPartitions().isEmpty())
          .count();
    } catch (ExecutionException notYet) {
      return 0;
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("reading members", stopped);
    }
  }

  private void await(String what, BooleanSupplier reached, BooleanSupplier running) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!reached.getAsBoolean()) {
        if (System.nanoTime() > deadline || !running.getAsBoolean()) {
          throw new IngestException(
              Code.INTERNAL, "group=" + group + " did not get to " + what + ".");
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (InterruptedException stopped) {
      throw BenchFailure.of("waiting for a group", stopped);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
