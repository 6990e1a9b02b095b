package dev.ingest.app.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * What is served where: {@code /livez}, {@code /readyz}, {@code /metrics} and the console at {@code
 * /}. Thread-safe.
 */
public final class Routes implements AutoCloseable {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String JSON = "application/json";
  private static final String OWN_FILES_ONLY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final HealthView health;
  private final LoopBounds bounds;
  private final Supplier<String> metrics;
  private final InstantSource clock;
  private final Console console;
  private final Assets assets = new Assets();

  /**
   * Starts to watch the rate for the console, on a thread of its own, until closed.
   *
   * @param metrics all meters in Prometheus' text form
   */
  public Routes(
      HealthView health,
      LoopBounds bounds,
      Supplier<String> metrics,
      About about,
      InstantSource clock) {
    this.health = health;
    this.bounds = bounds;
    this.metrics = metrics;
    this.clock = clock;
    this.console = new Console(health, bounds, about, clock);
  }

  void addTo(RoutesConfig routes) {
    routes.before(Routes::harden);
    routes.get("/livez", context -> answer(context, alive()));
    routes.get("/readyz", context -> answer(context, ready()));
    routes.get("/metrics", context -> context.contentType(PROMETHEUS).result(metrics.get()));
    routes.get("/", context -> context.contentType(HTML).result(console.page()));
    routes.get("/console/state", context -> context.contentType(HTML).result(console.state()));
    routes.get("/console/rates", context -> context.contentType(JSON).result(console.rates()));
    routes.get("/assets/{file}", context -> assets.serve(context, context.pathParam("file")));
  }

  private static void harden(Context context) {
    context
        .header("Cache-Control", "no-store")
        .header("Content-Security-Policy", OWN_FILES_ONLY)
        .header("Referrer-Policy", "no-referrer")
        .header("X-Content-Type-Options", "nosniff");
  }

  private Verdict alive() {
    return HealthRules.alive(health.consumers(), bounds, clock.instant());
  }

  private Verdict ready() {
    return HealthRules.ready(health, health::databaseProblem);
  }

  private void answer(Context context, Verdict verdict) {
    context
        .status(verdict.ok() ? 200 : 503)
        .contentType(JSON)
        .result(HealthBody.json(verdict, health.consumers(), clock.instant()));
  }

  @Override
  public void close() {
    console.close();
  }
}
