package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A source whose polls are written down beforehand, and which writes down the calls made to it. */
final class ScriptedSource implements EventSource {
  private final ArrayDeque<Function<Listener, Polled>> polls = new ArrayDeque<>();
  private final ArrayDeque<Runnable> acknowledgements = new ArrayDeque<>();
  final List<Map<TopicPartition, Long>> commits = new ArrayList<>();
  final List<String> calls = new ArrayList<>();
  final TreeSet<TopicPartition> assigned = new TreeSet<>();
  final TreeSet<TopicPartition> paused = new TreeSet<>();
  boolean acceptsCommits = true;
  private @Nullable Listener listener;

  ScriptedSource returns(Polled polled) {
    return does(listener -> polled);
  }

  ScriptedSource assigns(TopicPartition... partitions) {
    return does(
        listener -> {
          assigned.addAll(List.of(partitions));
          listener.assigned(List.of(partitions));
          return Polled.NOTHING;
        });
  }

  ScriptedSource revokes(TopicPartition... partitions) {
    return does(
        listener -> {
          listener.revoked(List.of(partitions));
          assigned.removeAll(List.of(partitions));
          return Polled.NOTHING;
        });
  }

  ScriptedSource loses(TopicPartition... partitions) {
    return does(
        listener -> {
          assigned.removeAll(List.of(partitions));
          listener.lost(List.of(partitions));
          return Polled.NOTHING;
        });
  }

  ScriptedSource does(Function<Listener, Polled> poll) {
    polls.add(poll);
    return this;
  }

  /** The broker answers what was sent so far; the client tells in the next poll. */
  void acknowledge() {
    List<Runnable> answered = List.copyOf(acknowledgements);
    acknowledgements.clear();
    polls.push(
        events -> {
          answered.forEach(Runnable::run);
          return Polled.NOTHING;
        });
  }

  @Override
  public void subscribe(Listener events) {
    listener = events;
  }

  @Override
  public Polled poll(Duration timeout) {
    Function<Listener, Polled> next = polls.poll();
    return next == null ? Polled.NOTHING : next.apply(Objects.requireNonNull(listener));
  }

  @Override
  public void pauseAll() {
    paused.addAll(assigned);
  }

  @Override
  public void resumeAll() {
    paused.clear();
  }

  @Override
  public Map<TopicPartition, Long> unread() {
    Map<TopicPartition, Long> unread = new HashMap<>();
    assigned.forEach(partition -> unread.put(partition, 0L));
    return unread;
  }

  @Override
  public void commit(Map<TopicPartition, Long> nextOffsets, Runnable acknowledged) {
    commits.add(Map.copyOf(nextOffsets));
    acknowledgements.add(acknowledged);
  }

  @Override
  public boolean commitNow(Map<TopicPartition, Long> nextOffsets, Duration timeout) {
    calls.add("commitNow " + nextOffsets);
    return acceptsCommits;
  }

  @Override
  public void close(Duration timeout) {
    calls.add("close " + timeout);
  }
}
