package dev.ingest.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inserts jobs, whatever their number, with one statement. */
final class Enqueue {
  /** Keys are taken in the same order in every transaction, so there is no cycle of waiters. */
  private static final Comparator<NewJob> KEYED_LAST =
      Comparator.comparing(Enqueue::queueIfKeyed).thenComparing(Enqueue::keyOrNothing);

  private Enqueue() {}

  /** Returns the ids of those that were inserted. */
  static List<Long> run(Connection connection, List<NewJob> jobs) throws SQLException {
    List<NewJob> ordered = new ArrayList<>(jobs);
    ordered.sort(KEYED_LAST);
    int count = ordered.size();
    String[] queues = new String[count];
    Short[] priorities = new Short[count];
    @Nullable Long[] runAt = new @Nullable Long[count];
    Integer[] attempts = new Integer[count];
    @Nullable String[] keys = new @Nullable String[count];
    @Nullable String[] attributes = new @Nullable String[count];
    byte @Nullable [][] payloads = new byte @Nullable [count][];
    for (int i = 0; i < count; i++) {
      NewJob job = ordered.get(i);
      queues[i] = job.queue();
      priorities[i] = (short) job.priority().code();
      runAt[i] = micros(job.runAt());
      attempts[i] = job.maxAttempts();
      keys[i] = job.key();
      attributes[i] = Attributes.toJson(job.attributes());
      payloads[i] = job.payload();
    }
    try (IndexedStatement statement = new IndexedStatement(connection, Statements.ENQUEUE)) {
      statement
          .bind("text", queues)
          .bind("int2", priorities)
          .bind("int8", runAt)
          .bind("int4", attempts)
          .bind("text", keys)
          .bind("text", attributes)
          .bind("bytea", payloads)
          .run();
      return statement.ids();
    }
  }

  private static String queueIfKeyed(NewJob job) {
    return job.key() == null ? "" : job.queue();
  }

  private static String keyOrNothing(NewJob job) {
    String key = job.key();
    return key == null ? "" : key;
  }

  private static @Nullable Long micros(@Nullable Instant moment) {
    return moment == null ? null : ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }
}
