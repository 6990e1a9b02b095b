package dev.ingest.app.verify;

import dev.ingest.app.verify.Report.Counts;
import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.plan.Reading;
import dev.ingest.plan.Route;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Sums up one partition on one route, portion by portion. Single-threaded. */
final class Tally {
  private static final int NAMED = 10;

  private final Target target;
  private final Letters letters;
  private final TopicPartition partition;
  private final Route route;
  private final boolean onlyWay;
  private final List<Long> missingOffsets = new ArrayList<>();
  private long events;
  private long stored;
  private long parked;
  private long deadLettered;
  private long skipped;
  private long missing;

  /**
   * @param onlyWay whether the topic takes no other route, so that whatever of it is parked or
   *     dead-lettered counts
   */
  Tally(Target target, Letters letters, TopicPartition partition, Route route, boolean onlyWay) {
    this.target = target;
    this.letters = letters;
    this.partition = partition;
    this.route = route;
    this.onlyWay = onlyWay;
  }

  String route() {
    return route.name();
  }

  void add(List<Event> portion) throws SQLException {
    List<Reading.Keyed> keyed = new ArrayList<>();
    List<Long> unstored = new ArrayList<>();
    for (Event event : portion) {
      Reading reading = route.reader().read(event);
      if (reading instanceof Reading.Keyed withKey) {
        keyed.add(withKey);
      } else if (reading instanceof Reading.Skipped) {
        skipped++;
      } else {
        unstored.add(event.offset());
      }
    }
    events += portion.size();
    List<Reading.Keyed> rowless = rowless(keyed);
    unstored.addAll(offsets(rowless));
    SortedSet<Long> nowhere = nowhere(unstored);
    // One that was parked may have been stored after the first question and before the second.
    List<Reading.Keyed> doubtful =
        rowless.stream().filter(each -> nowhere.contains(each.event().offset())).toList();
    offsets(doubtful).forEach(nowhere::remove);
    nowhere.addAll(offsets(rowless(doubtful)));
    missing += nowhere.size();
    nowhere.stream().limit(NAMED - missingOffsets.size()).forEach(missingOffsets::add);
  }

  /** Counts the events whose row is there, and returns the others. */
  private List<Reading.Keyed> rowless(List<Reading.Keyed> keyed) throws SQLException {
    BitSet lacking = target.missing(route.name(), keyed);
    stored += keyed.size() - lacking.cardinality();
    return lacking.stream().mapToObj(keyed::get).toList();
  }

  private static List<Long> offsets(List<Reading.Keyed> keyed) {
    return keyed.stream().map(each -> each.event().offset()).toList();
  }

  /** Counts the events that are kept aside, and returns the others. */
  private SortedSet<Long> nowhere(List<Long> offsets) throws SQLException {
    SortedSet<Long> nowhere = new TreeSet<>();
    if (offsets.isEmpty()) {
      return nowhere;
    }
    String onRoute = onlyWay ? null : route.name();
    BitSet found = target.parked(onRoute, partition, offsets);
    parked += found.cardinality();
    for (int i = found.nextClearBit(0); i < offsets.size(); i = found.nextClearBit(i + 1)) {
      long offset = offsets.get(i);
      if (letters.holds(onRoute, partition, offset)) {
        deadLettered++;
      } else {
        nowhere.add(offset);
      }
    }
    return nowhere;
  }

  Counts counts() {
    return new Counts(events, stored, parked, deadLettered, skipped, missing, missingOffsets);
  }
}
