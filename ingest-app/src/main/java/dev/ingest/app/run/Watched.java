package dev.ingest.app.run;

import dev.ingest.app.config.Config;
import dev.ingest.app.config.SourceSettings;
import dev.ingest.app.config.Topics;
import dev.ingest.app.http.About;
import dev.ingest.app.http.ConsumerWatch;
import dev.ingest.app.http.HealthView;
import dev.ingest.app.http.HttpServer;
import dev.ingest.app.http.LoopBounds;
import dev.ingest.app.http.Routes;
import dev.ingest.app.metrics.ProcessMetrics;
import dev.ingest.kafka.GapPolicy;
import dev.ingest.pipeline.IngestEvents;
import dev.ingest.pipeline.IngestLog;
import dev.ingest.pipeline.IngestMeters;
import dev.ingest.postgres.WritableCheck;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that is logged, measured and served over HTTP. {@link #create} takes the port, so a
 * port in use is known before anything is read. Close from any thread, once.
 */
public final class Watched implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watched.class);

  private final IngestProcess process;
  private final ProcessMetrics metrics;
  private final @Nullable Routes routes;
  private final @Nullable HttpServer http;

  private Watched(
      IngestProcess process,
      ProcessMetrics metrics,
      @Nullable Routes routes,
      @Nullable HttpServer http) {
    this.process = process;
    this.metrics = metrics;
    this.routes = routes;
    this.http = http;
  }

  /**
   * Builds the process and begins to serve; nothing is read from Kafka yet.
   *
   * @param version of the program, for the console
   * @param gaps decides where records are gone from a topic unread
   * @param starting what is waited for before the process may start, empty once nothing is
   * @param metrics of the process; closed with it
   * @param listener told of all consumers, beside log, meters and health
   * @throws dev.ingest.event.IngestException where the port can't be taken
   */
  public static Watched create(
      Config config,
      String version,
      GapPolicy gaps,
      Supplier<Optional<String>> starting,
      ProcessMetrics metrics,
      IngestEvents listener) {
    HeapNeed.warning(config, Runtime.getRuntime().maxMemory()).ifPresent(LOG::warn);
    InstantSource clock = InstantSource.system();
    IngestMeters meters = new IngestMeters(metrics.registry());
    IngestLog log = new IngestLog(clock);
    Map<String, ConsumerWatch> watches = new ConcurrentHashMap<>();
    IngestProcess process =
        IngestProcess.create(
            config,
            name ->
                IngestEvents.all(
                    List.of(
                        meters.forConsumer(),
                        watch(watches, name, clock),
                        listener,
                        log.forConsumer(name))), // last: what it says is seen over HTTP by then
            source -> source.bindTo(metrics.registry()),
            gaps);
    metrics.bind(process.pool());
    if (!config.http().enabled()) {
      return new Watched(process, metrics, null, null);
    }
    Routes routes =
        new Routes(
            health(process, watches, starting, clock),
            LoopBounds.of(
                config.postgres().connectTimeout(),
                config.postgres().socketTimeout(),
                config.progressTimeout()),
            metrics::scrape,
            about(config, version),
            clock);
    HttpServer http = HttpServer.start(config.http(), routes);
    LOG.info("serving health, metrics and console: address={}", http.address());
    return new Watched(process, metrics, routes, http);
  }

  private static ConsumerWatch watch(
      Map<String, ConsumerWatch> watches, String name, InstantSource clock) {
    return watches.computeIfAbsent(name, each -> new ConsumerWatch(each, clock));
  }

  private static HealthView health(
      IngestProcess process,
      Map<String, ConsumerWatch> watches,
      Supplier<Optional<String>> starting,
      InstantSource clock) {
    return HealthView.of(
        () ->
            process.consumers().stream()
                .map(each -> watch(watches, each.name(), clock).status(each))
                .toList(),
        new WritableCheck(process.pool()),
        starting,
        clock);
  }

  private static About about(Config config, String version) {
    SourceSettings source = config.source();
    return new About(
        version,
        source.groupId(),
        describe(source.topics()),
        config.routes().get(0).target().table(),
        Instant.now());
  }

  private static String describe(Topics topics) {
    return topics instanceof Topics.Names names
        ? String.join(", ", names.names())
        : ((Topics.Matching) topics).regex();
  }

  public IngestProcess process() {
    return process;
  }

  @Override
  public void close() {
    try (metrics;
        routes;
        http) {
      process.close();
    }
  }
}
