package dev.ingest.pipeline;

import dev.ingest.event.TopicPartition;
import dev.ingest.plan.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Tells several listeners, in order. */
record FanOut(List<IngestEvents> listeners) implements IngestEvents {
  @Override
  public void polled(String topic, int events) {
    listeners.forEach(each -> each.polled(topic, events));
  }

  @Override
  public void polled(String route, String topic, int events) {
    listeners.forEach(each -> each.polled(route, topic, events));
  }

  @Override
  public void released(String topic, int events) {
    listeners.forEach(each -> each.released(topic, events));
  }

  @Override
  public void released(String route, String topic, int events) {
    listeners.forEach(each -> each.released(route, topic, events));
  }

  @Override
  public void applied(Chunk chunk, WriteOutcome.Applied applied, Instant at) {
    listeners.forEach(each -> each.applied(chunk, applied, at));
  }

  @Override
  public void deadLettered(String topic, int events) {
    listeners.forEach(each -> each.deadLettered(topic, events));
  }

  @Override
  public void deadLettered(String route, String topic, int events) {
    listeners.forEach(each -> each.deadLettered(route, topic, events));
  }

  @Override
  public void skipped(String topic, int events) {
    listeners.forEach(each -> each.skipped(topic, events));
  }

  @Override
  public void skipped(String route, String topic, int events) {
    listeners.forEach(each -> each.skipped(route, topic, events));
  }

  @Override
  public void batchDone(int events, Duration took) {
    listeners.forEach(each -> each.batchDone(events, took));
  }

  @Override
  public void retrying(StoreFault fault, int attempt, Duration delay) {
    listeners.forEach(each -> each.retrying(fault, attempt, delay));
  }

  @Override
  public void paused(StoreFault fault) {
    listeners.forEach(each -> each.paused(fault));
  }

  @Override
  public void resumed(Duration pausedFor) {
    listeners.forEach(each -> each.resumed(pausedFor));
  }

  @Override
  public void assigned(Collection<TopicPartition> partitions) {
    listeners.forEach(each -> each.assigned(partitions));
  }

  @Override
  public void revoked(Collection<TopicPartition> partitions, boolean drained) {
    listeners.forEach(each -> each.revoked(partitions, drained));
  }

  @Override
  public void lost(Collection<TopicPartition> partitions) {
    listeners.forEach(each -> each.lost(partitions));
  }

  @Override
  public void lag(Map<TopicPartition, Long> events) {
    listeners.forEach(each -> each.lag(events));
  }

  @Override
  public void progress(Map<TopicPartition, Long> nextOffsets) {
    listeners.forEach(each -> each.progress(nextOffsets));
  }

  @Override
  public void offsetsCommitted(Map<TopicPartition, Long> nextOffsets, Duration took) {
    listeners.forEach(each -> each.offsetsCommitted(nextOffsets, took));
  }

  @Override
  public void failed(Throwable cause) {
    listeners.forEach(each -> each.failed(cause));
  }
}
