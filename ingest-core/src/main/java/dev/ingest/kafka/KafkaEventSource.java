package dev.ingest.kafka;

import dev.ingest.event.Event;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.event.TopicPartition;
import dev.ingest.pipeline.EventSource;
import dev.ingest.pipeline.Polled;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * A member of a Kafka consumer group. Reads committed records only, never resets an offset by
 * itself once the group has one, and commits nothing of its own accord. A poll hands over no more
 * bytes, decompressed, than one fetch may bring ({@link PollBytes}). Owned by one thread.
 */
public final class KafkaEventSource implements EventSource {
  private static final Duration PAUSED_END_AGE = Duration.ofSeconds(5);
  private static final Duration GROUP_AWAY = Duration.ofSeconds(15);
  private static final Duration END_TIMEOUT = Duration.ofMillis(500);

  private final PollBytes bytes;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Subscription subscription;
  private final GapPolicy gapPolicy;
  private final Map<org.apache.kafka.common.TopicPartition, TopicPartition> known = new HashMap<>();

  /** {@link System#nanoTime} of the last look at the ends while paused; null while not paused. */
  private @Nullable Long endsAskedAt;

  private @Nullable KafkaClientMetrics clientMeters;
  private @Nullable Metric lastHeartbeat;

  /**
   * @param kafka settings of the Kafka client as it documents them; {@code bootstrap.servers} is
   *     required
   * @throws IngestException where the client refuses its settings
   */
  public KafkaEventSource(Map<String, String> kafka, String groupId, Subscription subscription) {
    this(kafka, groupId, subscription, GapPolicy.STOP);
  }

  /**
   * The same with a decision on records that are gone unread.
   *
   * @throws IngestException where the client refuses its settings
   */
  public KafkaEventSource(
      Map<String, String> kafka, String groupId, Subscription subscription, GapPolicy gapPolicy) {
    this.subscription = subscription;
    this.gapPolicy = gapPolicy;
    try {
      Map<String, Object> settings = ConsumerConfigs.of(groupId, kafka);
      this.bytes = PollBytes.of(settings);
      this.consumer = new KafkaConsumer<>(settings, bytes.deserializer(), bytes.deserializer());
    } catch (KafkaException refused) {
      throw RefusedSettings.of(refused);
    }
  }

  /** Shows the Kafka client's own meters until the source is closed. */
  public KafkaEventSource bindTo(MeterRegistry registry) {
    clientMeters = new KafkaClientMetrics(consumer);
    clientMeters.bindTo(registry);
    return this;
  }

  @Override
  public void subscribe(Listener listener) {
    ConsumerRebalanceListener adapter = new Rebalances(listener);
    Pattern pattern = subscription.pattern();
    if (pattern == null) {
      consumer.subscribe(subscription.topics(), adapter);
    } else {
      consumer.subscribe(pattern, adapter);
    }
  }

  @Override
  public Polled poll(Duration timeout) {
    bytes.beginPoll();
    try {
      return polled(consumer.poll(timeout));
    } catch (NoOffsetForPartitionException unset) {
      if (subscription.start() == Subscription.Start.EARLIEST) {
        consumer.seekToBeginning(unset.partitions());
      } else {
        consumer.seekToEnd(unset.partitions());
      }
      return Polled.NOTHING;
    } catch (OffsetOutOfRangeException gone) {
      meetGap();
      return Polled.NOTHING;
    } catch (RetriableException away) {
      return Polled.NOTHING;
    } catch (KafkaException refused) {
      throw new IngestException(Code.KAFKA_UNAVAILABLE, rootMessage(refused), refused);
    }
  }

  /** Comes again with the next poll where the broker does not answer. */
  private void meetGap() {
    List<Gap> gaps;
    try {
      gaps = GapSearch.among(consumer, this::ours);
    } catch (RetriableException away) {
      return;
    }
    if (!gaps.isEmpty() && gapPolicy.goesOn(gaps)) {
      gaps.forEach(gap -> consumer.seek(kafkas(gap.partition()), gap.logStart()));
    }
  }

  private Polled polled(ConsumerRecords<byte[], byte[]> records) {
    Map<org.apache.kafka.common.TopicPartition, OffsetAndMetadata> next = records.nextOffsets();
    if (next.isEmpty()) {
      return Polled.NOTHING;
    }
    List<Event> events = new ArrayList<>(records.count());
    Map<TopicPartition, Long> positions = new HashMap<>();
    next.forEach(
        (partition, position) -> {
          TopicPartition ours = ours(partition);
          positions.put(ours, position.offset());
          records.records(partition).forEach(record -> events.add(KafkaEvents.of(ours, record)));
        });
    return new Polled(events, positions);
  }

  private TopicPartition ours(org.apache.kafka.common.TopicPartition partition) {
    return known.computeIfAbsent(
        partition, kafka -> new TopicPartition(kafka.topic(), kafka.partition()));
  }

  private List<TopicPartition> ours(Collection<org.apache.kafka.common.TopicPartition> partitions) {
    return partitions.stream().map(this::ours).sorted().toList();
  }

  @Override
  public void pauseAll() {
    consumer.pause(consumer.assignment());
    if (endsAskedAt == null) {
      endsAskedAt = System.nanoTime();
    }
  }

  @Override
  public void resumeAll() {
    consumer.resume(consumer.paused());
    endsAskedAt = null;
  }

  @Override
  public Map<TopicPartition, Long> unread() {
    if (endsAskedAt != null && System.nanoTime() - endsAskedAt > PAUSED_END_AGE.toNanos()) {
      refreshEnds();
      endsAskedAt = System.nanoTime();
    }
    Map<TopicPartition, Long> unread = new HashMap<>();
    if (isGroupAway()) {
      return unread; // what was known says nothing of now
    }
    for (org.apache.kafka.common.TopicPartition partition : consumer.assignment()) {
      consumer.currentLag(partition).ifPresent(offsets -> unread.put(ours(partition), offsets));
    }
    return unread;
  }

  /**
   * Whether the group's broker has not been reached for so long that something is wrong with it.
   */
  private boolean isGroupAway() {
    Metric known = lastHeartbeat;
    if (known == null) {
      known =
          consumer.metrics().values().stream()
              .filter(metric -> metric.metricName().name().equals("last-heartbeat-seconds-ago"))
              .findFirst()
              .orElse(null);
      lastHeartbeat = known;
    }
    return known != null
        && known.metricValue() instanceof Number seconds
        && seconds.doubleValue() > GROUP_AWAY.toSeconds();
  }

  /** Ends come with each fetch, and nothing is fetched while paused. */
  private void refreshEnds() {
    try {
      consumer.endOffsets(consumer.paused(), END_TIMEOUT);
    } catch (KafkaException unknown) {
      // The broker is away: what was known stands until it is back.
    }
  }

  @Override
  public void commit(Map<TopicPartition, Long> nextOffsets, Runnable acknowledged) {
    consumer.commitAsync(
        offsets(nextOffsets),
        (committed, refused) -> {
          if (refused == null) {
            acknowledged.run();
          }
        });
  }

  @Override
  public boolean commitNow(Map<TopicPartition, Long> nextOffsets, Duration timeout) {
    try {
      consumer.commitSync(offsets(nextOffsets), timeout);
      return true;
    } catch (KafkaException refused) {
      return false;
    }
  }

  private static Map<org.apache.kafka.common.TopicPartition, OffsetAndMetadata> offsets(
      Map<TopicPartition, Long> nextOffsets) {
    Map<org.apache.kafka.common.TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    nextOffsets.forEach(
        (partition, nextOffset) ->
            offsets.put(kafkas(partition), new OffsetAndMetadata(nextOffset)));
    return offsets;
  }

  private static org.apache.kafka.common.TopicPartition kafkas(TopicPartition partition) {
    return new org.apache.kafka.common.TopicPartition(partition.topic(), partition.partition());
  }

  @Override
  public void close(Duration timeout) {
    if (clientMeters != null) {
      clientMeters.close();
    }
    consumer.close(CloseOptions.timeout(timeout));
  }

  private static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  /** Translates the client's callbacks, which it makes on the owner's thread. */
  private final class Rebalances implements ConsumerRebalanceListener {
    private final Listener listener;

    Rebalances(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void onPartitionsAssigned(
        Collection<org.apache.kafka.common.TopicPartition> partitions) {
      listener.assigned(ours(partitions));
    }

    @Override
    public void onPartitionsRevoked(Collection<org.apache.kafka.common.TopicPartition> partitions) {
      if (!partitions.isEmpty()) {
        listener.revoked(ours(partitions));
      }
    }

    @Override
    public void onPartitionsLost(Collection<org.apache.kafka.common.TopicPartition> partitions) {
      if (!partitions.isEmpty()) {
        listener.lost(ours(partitions));
      }
    }
  }
}
