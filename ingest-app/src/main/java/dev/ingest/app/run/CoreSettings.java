package dev.ingest.app.run;

import dev.ingest.app.config.BatchSettings;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.ErrorSettings.BadEvent;
import dev.ingest.app.config.LockSettings;
import dev.ingest.app.config.PostgresSettings;
import dev.ingest.app.config.RouteSettings;
import dev.ingest.app.config.SourceSettings;
import dev.ingest.app.config.Topics;
import dev.ingest.app.format.Formats;
import dev.ingest.app.verify.Verification;
import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import dev.ingest.kafka.KafkaDeadLetters;
import dev.ingest.kafka.Subscription;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.BadEvents;
import dev.ingest.pipeline.BatchLimits;
import dev.ingest.pipeline.ConsumerSettings;
import dev.ingest.pipeline.DeadLetters;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.plan.EventReader;
import dev.ingest.plan.KeyPart;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.plan.Route;
import dev.ingest.plan.Routes;
import dev.ingest.plan.ShareLimit;
import dev.ingest.plan.Tombstones;
import dev.ingest.postgres.StoreSettings;
import dev.ingest.postgres.Timeouts;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The library's settings, made from the program's. */
public final class CoreSettings {
  private static final Duration SHARE_WINDOW = Duration.ofMinutes(1);
  private static final int SHARE_OF = 100;

  private CoreSettings() {}

  /**
   * @param routes as {@link #routes} made them, once for all consumers
   */
  static ConsumerSettings consumer(Config config, Routes routes, BadEvents badEvents) {
    return new ConsumerSettings(
        limits(config.batch()),
        scheme(config.lock()),
        routes,
        badEvents,
        new ShareLimit(config.errors().maxShare(), SHARE_WINDOW, SHARE_OF));
  }

  /** For events of one route, whatever their topic; those that can't be stored are parked. */
  static ConsumerSettings parkingOn(Config config, RouteSettings route) {
    return new ConsumerSettings(
        limits(config.batch()),
        scheme(config.lock()),
        new Routes(List.of(new Route(route.name(), topic -> true, reader(config, route)))),
        BadEvents.park(),
        ShareLimit.NONE);
  }

  private static BatchLimits limits(BatchSettings batch) {
    return new BatchLimits(
        batch.maxEvents(),
        batch.maxBytes(),
        batch.linger(),
        3 * batch.maxEvents(),
        batch.bufferBytes());
  }

  private static LockScheme scheme(LockSettings lock) {
    return switch (lock.mode()) {
      case KEY -> LockScheme.perKey();
      case STRIPE -> LockScheme.striped(lock.stripes());
      case NONE -> LockScheme.none();
    };
  }

  /** The routes of a process; they share what is known of schemas. */
  static Routes routes(Config config) {
    Formats formats = new Formats(config.registry());
    return new Routes(
        config.routes().stream()
            .map(route -> new Route(route.name(), route.topics()::includes, reader(formats, route)))
            .toList());
  }

  /** How the business key is taken out of an event on a route. */
  public static EventReader reader(Config config, RouteSettings route) {
    return reader(new Formats(config.registry()), route);
  }

  private static EventReader reader(Formats formats, RouteSettings route) {
    KeyReader keys =
        new KeyReader(
            route.key().parts().stream().map(CoreSettings::part).toList(), route.key().rules());
    EventReader events = formats.of(route.value()).before(keys);
    return switch (route.target().rules().tombstone().action()) {
      case STORE -> events;
      case SKIP -> Tombstones.skipped(events);
      case PARK -> Tombstones.refused(events);
      case DELETE, SOFT_DELETE -> Tombstones.deleting(events);
    };
  }

  private static KeyPart part(dev.ingest.app.config.KeyPart part) {
    if (part instanceof dev.ingest.app.config.KeyPart.HeaderValue header) {
      return KeyPart.header(header.name());
    }
    if (part instanceof dev.ingest.app.config.KeyPart.JsonValue json) {
      return KeyPart.json(json.pointer());
    }
    return KeyPart.recordKey();
  }

  /** Where a consumer's bad events go, if they go to a topic. */
  static Optional<DeadLetters> deadLetters(Config config) {
    return config.errors().badEvent() == BadEvent.DEAD_LETTER
        ? Optional.of(
            new KafkaDeadLetters(
                config.kafka().properties(),
                config.errors().deadLetterTopic(),
                config.source().groupId()))
        : Optional.empty();
  }

  /**
   * @param listener told of events that are kept in the topic
   */
  static BadEvents badEvents(Config config, Optional<DeadLetters> letters, IngestEvents listener) {
    if (config.errors().badEvent() == BadEvent.STOP) {
      return (chunk, rejected, now) -> {
        throw stopped(rejected.get(0));
      };
    }
    return letters.map(each -> BadEvents.deadLetter(each, listener)).orElse(BadEvents.park());
  }

  private static IngestException stopped(RejectedEvent rejected) {
    return new IngestException(
        Code.BAD_EVENT,
        "event "
            + rejected.event()
            + " can't be stored: "
            + rejected.reason()
            + ", sqlstate="
            + rejected.sqlState()
            + ". Nothing of its batch is lost; mend the event's cause, or set"
            + " ingest.errors.bad-event=park, and start again.");
  }

  /** What {@code verify} does; reads the schema files that the formats name. */
  public static Verification verification(Config config) {
    return new Verification(
        config.source().topics(),
        config.source().groupId(),
        routes(config),
        targets(config),
        Optional.of(config.errors().deadLetterTopic()).filter(topic -> !topic.isEmpty()));
  }

  private static Map<String, TargetMapping> targets(Config config) {
    Map<String, TargetMapping> targets = new LinkedHashMap<>();
    config.routes().forEach(route -> targets.put(route.name(), route.target()));
    return targets;
  }

  static StoreSettings store(Config config) {
    PostgresSettings postgres = config.postgres();
    LockSettings lock = config.lock();
    return new StoreSettings(
        targets(config),
        new Timeouts(
            lock.timeout(),
            postgres.statementTimeout(),
            postgres.idleInTransactionTimeout(),
            postgres.socketTimeout()),
        lock.budget(),
        config.source().consumers(),
        lock.namespace());
  }

  static Subscription subscription(SourceSettings source) {
    Subscription.Start start =
        source.start() == SourceSettings.Start.EARLIEST
            ? Subscription.Start.EARLIEST
            : Subscription.Start.LATEST;
    if (source.topics() instanceof Topics.Names names) {
      return new Subscription(names.names(), null, start);
    }
    Topics.Matching matching = (Topics.Matching) source.topics();
    return new Subscription(List.of(), Pattern.compile(matching.regex()), start);
  }

  /** The Kafka client's settings for one consumer of this process. */
  static Map<String, String> kafka(Config config, int consumer) {
    Map<String, String> kafka = new HashMap<>();
    kafka.put("max.poll.records", Integer.toString(config.batch().maxEvents()));
    long fetch = HeapNeed.fetchBytes(config.batch());
    kafka.put("fetch.max.bytes", Long.toString(fetch));
    kafka.put("max.partition.fetch.bytes", Long.toString(Math.min(fetch, 1 << 20)));
    kafka.put("client.id", config.source().groupId() + "-" + consumer);
    kafka.putAll(config.kafka().properties());
    // A static member is one consumer, not one process.
    kafka.computeIfPresent("group.instance.id", (name, id) -> id + "-" + consumer);
    return kafka;
  }
}
