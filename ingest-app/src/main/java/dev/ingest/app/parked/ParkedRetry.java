package dev.ingest.app.parked;

import static java.util.stream.Collectors.partitioningBy;

import dev.ingest.pipeline.EventWriter;
import dev.ingest.queue.Job;
import dev.ingest.queue.JobQueue;
import dev.ingest.queue.NewJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Tries parked events again, through the work queue and by the path that new events take. A job for
 * each event says that it is to be tried; jobs are held by row locks while their events are
 * written, so a killed process leaves nothing behind but the rest of the jobs. Writing an event
 * again adds no row, so a kill between two commits does no harm. One thread at a time.
 */
public final class ParkedRetry {
  private static final int HELD = 500;
  private static final long MOST_BYTES = 8L << 20;
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(30);

  private final DataSource pool;
  private final Function<String, EventWriter> writers;
  private final ParkedTable table = new ParkedTable();
  private final JobQueue queue = new JobQueue();

  /**
   * @param pool gives two connections at a time: one holds jobs while the other one writes
   * @param writers a writer for each route, by its name; what it refuses must be parked again
   */
  public ParkedRetry(DataSource pool, Function<String, EventWriter> writers) {
    this.pool = pool;
    this.writers = writers;
  }

  /**
   * Asks for the wanted events to be tried, in small transactions; asking twice is asking once.
   *
   * @return how many were not asked for yet
   */
  public long ask(ParkedFilter filter) throws SQLException {
    long[] asked = {0};
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(true);
      table.positions(connection, filter, positions -> asked[0] += ask(connection, positions));
    }
    return asked[0];
  }

  /** The same for discarded events, which count as parked again. */
  public long askDiscarded(ParkedFilter filter) throws SQLException {
    long[] asked = {0};
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(true);
      table.positions(
          connection,
          filter,
          positions -> {
            table.setStatus(
                connection, positions, List.of(ParkedFilter.DISCARDED), ParkedFilter.PARKED, false);
            asked[0] += ask(connection, positions);
          });
    }
    return asked[0];
  }

  /**
   * Asks for those whose cause may have healed.
   *
   * @return how many were not asked for yet
   */
  long ask(HealPolicy policy) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(true);
      return ask(connection, table.healedPerhaps(connection, policy, HELD));
    }
  }

  private int ask(Connection connection, List<ParkedPosition> positions) throws SQLException {
    List<NewJob> jobs = positions.stream().map(ParkedPosition::job).toList();
    return queue.enqueue(connection, jobs);
  }

  /**
   * Tries some of the events that were asked for. What others are trying is passed over. A route
   * that cannot be written keeps its jobs, behind the others; the other routes go on.
   *
   * @return what became of them; no events where none is left
   * @throws dev.ingest.event.IngestException where the writer of a route gives up
   */
  public RetryTally step() throws SQLException {
    try (Connection holder = pool.getConnection()) {
      holder.setAutoCommit(false);
      try {
        limitIdle(holder);
        List<Job> jobs = queue.hold(holder, ParkedPosition.QUEUE, HELD);
        Map<String, RuntimeException> failures = new TreeMap<>();
        RetryTally tally = retry(holder, jobs.stream().map(ParkedPosition::of).toList(), failures);
        Map<Boolean, List<Job>> byOutcome =
            jobs.stream().collect(partitioningBy(job -> failures.containsKey(route(job))));
        queue.complete(holder, byOutcome.getOrDefault(false, List.of()));
        queue.release(holder, byOutcome.getOrDefault(true, List.of()));
        holder.commit();
        if (!failures.isEmpty()) {
          throw failures.values().iterator().next();
        }
        return tally;
      } catch (SQLException | RuntimeException failed) {
        holder.rollback();
        throw failed;
      }
    }
  }

  private static void limitIdle(Connection holder) throws SQLException {
    try (PreparedStatement statement = holder.prepareStatement(Statements.LIMIT_IDLE)) {
      statement.execute();
    }
  }

  private static String route(Job job) {
    return ParkedPosition.of(job).route();
  }

  private RetryTally retry(
      Connection holder, List<ParkedPosition> positions, Map<String, RuntimeException> failures)
      throws SQLException {
    Map<ParkedPosition, Long> sizes = table.sizes(holder, positions);
    RetryTally tally = new RetryTally(0, 0, positions.size() - sizes.size());
    for (List<ParkedPosition> slice : slices(sizes)) {
      tally = tally.plus(write(holder, table.events(holder, slice), failures));
    }
    return tally;
  }

  /** Bounds what is in memory at a time. */
  static List<List<ParkedPosition>> slices(Map<ParkedPosition, Long> sizes) {
    List<List<ParkedPosition>> slices = new ArrayList<>();
    List<ParkedPosition> slice = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<ParkedPosition, Long> each : sizes.entrySet()) {
      if (!slice.isEmpty() && bytes + each.getValue() > MOST_BYTES) {
        slices.add(slice);
        slice = new ArrayList<>();
        bytes = 0;
      }
      slice.add(each.getKey());
      bytes += each.getValue();
    }
    if (!slice.isEmpty()) {
      slices.add(slice);
    }
    return slices;
  }

  private RetryTally write(
      Connection holder, List<ParkedEvent> events, Map<String, RuntimeException> failures)
      throws SQLException {
    Map<String, List<ParkedEvent>> byRoute = new TreeMap<>();
    int passedOver = 0;
    for (ParkedEvent event : events) {
      if (event.inKafka()) {
        passedOver++;
      } else {
        byRoute.computeIfAbsent(event.position().route(), route -> new ArrayList<>()).add(event);
      }
    }
    byRoute.keySet().removeAll(failures.keySet());
    int stored = 0;
    int tried = 0;
    for (Map.Entry<String, List<ParkedEvent>> route : byRoute.entrySet()) {
      try {
        writers
            .apply(route.getKey())
            .write(route.getValue().stream().map(ParkedEvent::event).toList(), WRITE_TIMEOUT);
        stored += table.markStored(holder, route.getValue());
        tried += route.getValue().size();
      } catch (RuntimeException failed) {
        failures.put(route.getKey(), failed);
        limitIdle(holder); // a sign of life after a long wait
      }
    }
    return new RetryTally(stored, tried - stored, passedOver);
  }
}
