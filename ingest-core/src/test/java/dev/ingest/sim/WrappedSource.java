package dev.ingest.sim;

import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventSource;
import dev.ingest.pipeline.Polled;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Passes every call and every callback on; a planted bug overrides one. */
class WrappedSource implements EventSource, EventSource.Listener {
  private final EventSource real;
  private EventSource.@Nullable Listener listener;

  WrappedSource(EventSource real) {
    this.real = real;
  }

  @Override
  public void subscribe(Listener events) {
    listener = events;
    real.subscribe(this);
  }

  @Override
  public Polled poll(Duration timeout) {
    return real.poll(timeout);
  }

  @Override
  public void pauseAll() {
    real.pauseAll();
  }

  @Override
  public void resumeAll() {
    real.resumeAll();
  }

  @Override
  public void commit(Map<TopicPartition, Long> nextOffsets, Runnable acknowledged) {
    real.commit(nextOffsets, acknowledged);
  }

  @Override
  public boolean commitNow(Map<TopicPartition, Long> nextOffsets, Duration timeout) {
    return real.commitNow(nextOffsets, timeout);
  }

  @Override
  public void close(Duration timeout) {
    real.close(timeout);
  }

  @Override
  public void assigned(Collection<TopicPartition> partitions) {
    Objects.requireNonNull(listener).assigned(partitions);
  }

  @Override
  public void revoked(Collection<TopicPartition> partitions) {
    Objects.requireNonNull(listener).revoked(partitions);
  }

  @Override
  public void lost(Collection<TopicPartition> partitions) {
    Objects.requireNonNull(listener).lost(partitions);
  }
}
