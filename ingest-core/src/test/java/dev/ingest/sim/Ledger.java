package dev.ingest.sim;

import dev.ingest.event.Event;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.WriteOutcome.Applied;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.KeyGroup;
import dev.ingest.plan.RejectedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Keeps book of one consumer, event by event, and holds what the pipeline tells against it (I6): an
 * event waits from poll until the writer reads it, is at hand until it is told what became of it,
 * and is told once.
 */
final class Ledger implements IngestEvents {
  private static final class Counts {
    private int polled;
    private int released;
    private int inserted;
    private int duplicates;
    private int parked;
    private int skipped;
    private int deleted;

    int pending() {
      return polled - released - inserted - duplicates - parked - skipped - deleted;
    }
  }

  private final String name;
  private final Predicate<Event> isDone;
  private final Predicate<Event> isBad;
  private final TreeMap<String, Counts> counts = new TreeMap<>();
  private final Map<String, Integer> leaving = new TreeMap<>();
  private final Set<Event> waiting = new LinkedHashSet<>();
  private final Set<Event> atHand = new LinkedHashSet<>();

  /** Partitions on their way out, and what was at hand of those that went. */
  private Collection<TopicPartition> going = List.of();

  private final Set<Event> orphans = new LinkedHashSet<>();

  Ledger(String name, Predicate<Event> isDone, Predicate<Event> isBad) {
    this.name = name;
    this.isDone = isDone;
    this.isBad = isBad;
  }

  /** The source hands these events over. */
  void fetched(List<Event> events) {
    waiting.addAll(events);
  }

  /** The writer looks at an event, perhaps again. */
  void read(Event event) {
    if (waiting.remove(event)) {
      atHand.add(event);
    } else if (!atHand.contains(event)) {
      throw new Violation("I6", event + " is written, though it was let go or is done");
    }
  }

  /** The source tells that partitions go; what waits of them has to be let go. */
  void leaving(Collection<TopicPartition> partitions) {
    going = partitions;
    waiting.removeIf(
        event -> {
          boolean goes = partitions.contains(event.partition());
          if (goes) {
            leaving.merge(event.partition().topic(), 1, Integer::sum);
          }
          return goes;
        });
  }

  /** The source has told it. */
  void left() {
    if (leaving.values().stream().anyMatch(count -> count != 0)) {
      throw new Violation("I6", "events of partitions that went are kept: " + leaving);
    }
    atHand.stream().filter(event -> going.contains(event.partition())).forEach(orphans::add);
  }

  int insertedInAll() {
    return counts.values().stream().mapToInt(each -> each.inserted).sum();
  }

  int deletedInAll() {
    return counts.values().stream().mapToInt(each -> each.deleted).sum();
  }

  /** Events that wait or are at hand. */
  int pending() {
    return waiting.size() + atHand.size();
  }

  void check() {
    for (Map.Entry<String, Counts> entry : counts.entrySet()) {
      int events = of(waiting, entry.getKey()) + of(atHand, entry.getKey());
      if (entry.getValue().pending() != events) {
        throw new Violation(
            "I6",
            "of %s %s %d events are pending, the counts say %d"
                .formatted(name, entry.getKey(), events, entry.getValue().pending()));
      }
    }
  }

  private static int of(Set<Event> events, String topic) {
    int count = 0;
    for (Event event : events) {
      if (event.partition().topic().equals(topic)) {
        count++;
      }
    }
    return count;
  }

  private Counts of(String topic) {
    return counts.computeIfAbsent(topic, name -> new Counts());
  }

  private void told(Event event, String what) {
    orphans.remove(event);
    if (!atHand.remove(event)) {
      throw new Violation("I6", event + " is told " + what + " and was not at hand");
    }
    if (!isDone.test(event)) {
      throw new Violation("I1", event + " is told " + what + " and is nowhere");
    }
  }

  @Override
  public void polled(String topic, int events) {
    of(topic).polled += events;
  }

  @Override
  public void released(String topic, int events) {
    of(topic).released += events;
    leaving.merge(topic, -events, Integer::sum);
  }

  /** By the writer: what it had at hand of partitions that went. */
  @Override
  public void released(String route, String topic, int events) {
    List<Event> gone =
        orphans.stream()
            .filter(event -> event.partition().topic().equals(topic) && !Workload.isSkipped(event))
            .toList();
    if (gone.size() != events) {
      throw new Violation("I6", "the writer let go of " + events + " events instead of " + gone);
    }
    gone.forEach(orphans::remove);
    gone.forEach(atHand::remove);
    of(topic).released += events;
  }

  @Override
  public void applied(Chunk chunk, Applied applied, Instant at) {
    for (KeyGroup group : chunk.groups()) {
      group.events().forEach(event -> told(event, "stored"));
    }
    for (RejectedEvent each : chunk.parked()) {
      told(each.event(), "parked");
      if (!isBad.test(each.event())) {
        throw new Violation("I8", each.event() + " is parked and is not bad");
      }
    }
    Counts topic = of(chunk.topic());
    topic.inserted += applied.inserted();
    topic.duplicates += applied.duplicates();
    topic.parked += applied.parked();
    topic.deleted += applied.deleted();
    if (applied.parked() != chunk.parked().size()
        || applied.inserted() + applied.duplicates() + applied.deleted() != chunk.storable()
        || applied.duplicates() < 0
        || applied.inserted() < 0
        || applied.inserted() > chunk.storing()
        || applied.deleted() < 0
        || applied.deleted() > chunk.deleting()) {
      throw new Violation("I6", "counts don't fit their chunk: " + applied);
    }
  }

  /** These events were kept elsewhere and acknowledged. */
  void keptElsewhere(List<RejectedEvent> rejected) {
    rejected.forEach(each -> told(each.event(), "dead-lettered"));
  }

  @Override
  public void deadLettered(String topic, int events) {
    of(topic).parked += events;
  }

  @Override
  public void skipped(String topic, int events) {
    of(topic).skipped += events;
    List<Event> passedOver =
        atHand.stream()
            .filter(Workload::isSkipped)
            .filter(event -> event.partition().topic().equals(topic))
            .toList();
    if (passedOver.size() != events) {
      throw new Violation("I6", "skipped " + events + " events instead of " + passedOver);
    }
    passedOver.forEach(event -> told(event, "skipped"));
  }

  @Override
  public void batchDone(int events, Duration took) {
    if (!atHand.isEmpty()) {
      throw new Violation("I6", "a batch is done, but not " + atHand);
    }
  }
}
