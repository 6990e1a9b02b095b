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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** The jobs of a route that can't be written are not due so long. */
  private static final Duration KEPT_FOR = Duration.ofMinutes(1);

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
   * Those whose route could not be written are tried at once too.
   *
   * @return how many were not asked for yet
   */
  public long ask(ParkedFilter filter) throws SQLException {
    long[] asked = {0};
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(true);
      table.positions(connection, filter, positions -> asked[0] += askNow(connection, positions));
    }
    return asked[0];
  }

  /**
   * The same for discarded events, which count as parked again. Each step does both or nothing: an
   * event that is not discarded any more would not be found when this is run again.
   */
  public long askDiscarded(ParkedFilter filter) throws SQLException {
    long[] asked = {0};
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try {
        table.positions(
            connection, filter, positions -> asked[0] += askAgain(connection, positions));
        connection.commit();
      } catch (SQLException | RuntimeException failed) {
        connection.rollback();
        throw failed;
      }
    }
    return asked[0];
  }

  private int askAgain(Connection connection, List<ParkedPosition> positions) throws SQLException {
    table.setStatus(
        connection, positions, List.of(ParkedFilter.DISCARDED), ParkedFilter.PARKED, false);
    int asked = askNow(connection, positions);
    connection.commit();
    return asked;
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

  private int askNow(Connection connection, List<ParkedPosition> positions) throws SQLException {
    List<String> keys = positions.stream().map(ParkedPosition::key).toList();
    queue.hasten(connection, ParkedPosition.QUEUE, keys);
    return ask(connection, positions);
  }

  private int ask(Connection connection, List<ParkedPosition> positions) throws SQLException {
    List<NewJob> jobs = positions.stream().map(ParkedPosition::job).toList();
    return queue.enqueue(connection, jobs);
  }

  /**
   * Tries some of the events that were asked for. What others are trying is passed over. A route
   * that cannot be written keeps its jobs, which are not due for a minute; the other routes go on.
   *
   * @param failures routes that can't be written, by name, and why: left alone where they are
   *     there, added where they turn out to be. One map for each run of steps
   * @return what became of them; no events where none is left
   */
  public RetryTally step(Map<String, RuntimeException> failures) throws SQLException {
    try (Connection holder = pool.getConnection()) {
      holder.setAutoCommit(false);
      try {
        limitIdle(holder);
        List<Job> jobs = queue.hold(holder, ParkedPosition.QUEUE, HELD);
        Step step = new Step(holder, failures);
        RetryTally tally = step.retry(jobs.stream().map(ParkedPosition::of).toList());
        Map<Boolean, List<Job>> byKept = jobs.stream().collect(partitioningBy(step::keeps));
        queue.complete(holder, byKept.getOrDefault(false, List.of()));
        queue.release(holder, byKept.getOrDefault(true, List.of()), KEPT_FOR);
        holder.commit();
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

  /** Tries the events of jobs that are held. */
  private final class Step {
    private final Connection holder;
    private final Map<String, RuntimeException> failures;
    private final Set<ParkedPosition> kept = new HashSet<>();
    private long stored;
    private long parkedAgain;
    private long passedOver;

    Step(Connection holder, Map<String, RuntimeException> failures) {
      this.holder = holder;
      this.failures = failures;
    }

    RetryTally retry(List<ParkedPosition> positions) throws SQLException {
      Map<ParkedPosition, Long> sizes = table.sizes(holder, positions);
      passedOver = (long) positions.size() - sizes.size();
      for (List<ParkedPosition> slice : slices(sizes)) {
        Map<Boolean, List<ParkedPosition>> byFailed =
            slice.stream().collect(partitioningBy(each -> failures.containsKey(each.route())));
        kept.addAll(byFailed.getOrDefault(true, List.of()));
        write(table.events(holder, byFailed.getOrDefault(false, List.of())));
      }
      return new RetryTally(stored, parkedAgain, passedOver, kept.size());
    }

    boolean keeps(Job job) {
      return kept.contains(ParkedPosition.of(job));
    }

    private void write(List<ParkedEvent> events) throws SQLException {
      Map<String, List<ParkedEvent>> byRoute = new TreeMap<>();
      for (ParkedEvent event : events) {
        if (event.inKafka()) {
          passedOver++;
        } else {
          byRoute.computeIfAbsent(event.position().route(), route -> new ArrayList<>()).add(event);
        }
      }
      for (Map.Entry<String, List<ParkedEvent>> route : byRoute.entrySet()) {
        write(route.getKey(), route.getValue());
      }
    }

    private void write(String route, List<ParkedEvent> events) throws SQLException {
      try {
        writers.apply(route).write(events.stream().map(ParkedEvent::event).toList(), WRITE_TIMEOUT);
      } catch (RuntimeException failed) {
        failures.put(route, failed);
        events.forEach(event -> kept.add(event.position()));
        limitIdle(holder); // a sign of life after a long wait
        return;
      }
      int now = table.markStored(holder, events);
      stored += now;
      parkedAgain += events.size() - now;
    }
  }
}
