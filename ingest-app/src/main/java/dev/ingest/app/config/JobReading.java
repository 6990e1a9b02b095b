package dev.ingest.app.config;

import static dev.ingest.app.config.NumberTypes.duration;
import static dev.ingest.app.config.NumberTypes.integer;
import static dev.ingest.app.config.TextTypes.names;
import static dev.ingest.app.config.TextTypes.oneOf;
import static dev.ingest.app.config.TextTypes.secret;
import static dev.ingest.app.config.TextTypes.text;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Jobs for new events: {@code ingest.jobs.NAME.…}. None of their settings holds for all jobs. */
final class JobReading {
  private static final String PREFIX = Settings.JOBS.prefix();
  private static final String NAME = "[a-z0-9][a-z0-9-]*";
  private static final String FUNCTION = "[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?";

  private static final Setting<List<String>> ROUTES =
      Setting.optional("ingest.job.routes", names(), "Whose new events; all routes without it.");
  private static final Setting<String> TOPIC =
      Setting.optional(
          "ingest.job.kafka.topic", TextTypes.of("a topic", DeadLetterTopic::parse), "Topic.");
  private static final Setting<URI> URL =
      Setting.optional(
          "ingest.job.http.url", TextTypes.of("an address", JobReading::url), "Endpoint.");
  private static final Setting<Secret> SECRET =
      Setting.optional("ingest.job.http.secret", secret(), "Signs requests.");
  private static final Setting<Duration> HTTP_TIMEOUT =
      Setting.of("ingest.job.http.timeout", duration("100ms", "10m"), "10s", "Of a request.");
  private static final Setting<Integer> PER_HOST =
      Setting.of("ingest.job.http.per-host", integer(1, 1000), "4", "Requests at once.");
  private static final Setting<String> CONTENT_TYPE =
      Setting.of("ingest.job.http.content-type", text(255), "application/json", "Of the body.");
  private static final Setting<String> FUNCTION_NAME =
      Setting.optional(
          "ingest.job.sql.function", TextTypes.of("a name", JobReading::function), "Function.");
  private static final Setting<JobSettings.Payload> PAYLOAD =
      Setting.of(
          "ingest.job.sql.payload", oneOf(JobSettings.Payload.class), "jsonb", "Its second type.");
  private static final Setting<Duration> SQL_TIMEOUT =
      Setting.of("ingest.job.sql.timeout", duration("100ms", "10m"), "10s", "Of a call.");
  private static final Setting<Duration> LEASE =
      Setting.of("ingest.job.lease", duration("5s", "1d"), "10m", "How long others wait.");
  private static final Setting<Integer> MAX_ATTEMPTS =
      Setting.of("ingest.job.max-attempts", integer(1, 1_000_000), "10", "Tries.");

  private static final List<Setting<?>> ALL =
      List.of(
          ROUTES,
          TOPIC,
          URL,
          SECRET,
          HTTP_TIMEOUT,
          PER_HOST,
          CONTENT_TYPE,
          FUNCTION_NAME,
          PAYLOAD,
          SQL_TIMEOUT,
          LEASE,
          MAX_ATTEMPTS);

  /** Each says what the job does. */
  private static final List<Setting<?>> ACTIONS = List.of(TOPIC, URL, FUNCTION_NAME);

  private final String name;
  private final SortedMap<String, Raw> own = new TreeMap<>();

  private JobReading(Values all, String name) {
    this.name = name;
    String prefix = PREFIX + name + ".";
    all.given()
        .forEach(
            (key, raw) -> {
              if (key.startsWith(prefix)) {
                own.put("ingest.job." + key.substring(prefix.length()), raw);
              }
            });
  }

  private static List<JobReading> readings(Values values) {
    return values.below(Settings.JOBS).keySet().stream()
        .map(key -> key.contains(".") ? key.substring(0, key.indexOf('.')) : key)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .map(name -> new JobReading(values, name))
        .toList();
  }

  /** Jobs in the order of their names. Needs {@link Concern#SOURCE}. */
  static List<JobSettings> of(Values values) {
    List<String> routes = routes(values);
    return readings(values).stream().map(reading -> reading.job(routes)).toList();
  }

  private static List<String> routes(Values values) {
    return Routing.of(values).stream().map(RouteSettings::name).toList();
  }

  private JobSettings job(List<String> allRoutes) {
    Values values = new Values(own);
    ALL.forEach(values::parse);
    return new JobSettings(
        name,
        values.find(ROUTES).orElse(allRoutes),
        action(values),
        values.get(LEASE),
        values.get(MAX_ATTEMPTS));
  }

  private static JobSettings.Action action(Values values) {
    if (values.isGiven(TOPIC)) {
      return new JobSettings.Publish(values.get(TOPIC));
    }
    if (values.isGiven(FUNCTION_NAME)) {
      return new JobSettings.Run(
          values.get(FUNCTION_NAME), values.get(PAYLOAD), values.get(SQL_TIMEOUT));
    }
    return new JobSettings.Call(
        values.get(URL),
        values.find(SECRET).orElse(Secret.NONE),
        values.get(HTTP_TIMEOUT),
        values.get(PER_HOST),
        values.get(CONTENT_TYPE));
  }

  /**
   * Sentences without a full stop.
   *
   * @param routed whether the settings of routes are right
   */
  static List<String> problems(Values values, boolean routed) {
    List<String> problems = new ArrayList<>();
    List<JobReading> readings = readings(values);
    readings.forEach(reading -> reading.check(problems));
    if (problems.isEmpty() && routed && values.find(Settings.SOURCE_TOPICS).isPresent()) {
      List<String> routes = routes(values);
      readings.forEach(reading -> reading.checkRoutes(routes, problems));
      readings.forEach(reading -> reading.refuseLoop(values, problems));
    }
    return problems;
  }

  private void check(List<String> problems) {
    if (!name.matches(NAME)) {
      problems.add(PREFIX + name + " is no name of a job; use small letters, digits and hyphens");
    }
    own.forEach((key, raw) -> checkValue(key, raw, problems));
    List<String> actions =
        ACTIONS.stream().filter(each -> own.containsKey(each.key())).map(this::keyOf).toList();
    if (actions.size() != 1) {
      problems.add(
          actions.isEmpty()
              ? PREFIX + name + " does nothing; add kafka.topic, http.url or sql.function below it"
              : String.join(" and ", actions) + " are both set; one job does one thing");
      return;
    }
    String kind = actions.get(0).substring(0, actions.get(0).lastIndexOf('.'));
    ALL.stream()
        .filter(each -> own.containsKey(each.key()) && isOfAction(each))
        .map(this::keyOf)
        .filter(key -> !key.startsWith(kind + "."))
        .forEach(
            key ->
                problems.add(key + " has no effect beside " + actions.get(0) + "; leave it out"));
  }

  private static boolean isOfAction(Setting<?> setting) {
    return setting.key().matches("ingest\\.job\\.(kafka|http|sql)\\..*");
  }

  private void checkValue(String key, Raw raw, List<String> problems) {
    Optional<Setting<?>> known = ALL.stream().filter(each -> each.key().equals(key)).findFirst();
    if (known.isPresent()) {
      try {
        known.get().type().parse(raw.text());
      } catch (InvalidValue e) {
        problems.add(Sentence.of(ofJob(key), raw, e));
      }
    } else if (!SecretNames.isFileOfSecret(key)) {
      problems.add(
          ofJob(key)
              + " is no setting of a job; use "
              + ALL.stream()
                  .map(setting -> setting.key().substring("ingest.job.".length()))
                  .collect(Collectors.joining(", "))
              + " ("
              + raw.origin()
              + ")");
    }
  }

  private void checkRoutes(List<String> routes, List<String> problems) {
    Values values = new Values(own);
    values.parse(ROUTES);
    values.find(ROUTES).orElse(List.of()).stream()
        .filter(route -> !routes.contains(route))
        .forEach(
            route ->
                problems.add(
                    keyOf(ROUTES)
                        + " names "
                        + route
                        + ", which is no route; use "
                        + String.join(", ", routes)));
  }

  private void refuseLoop(Values all, List<String> problems) {
    Values values = new Values(own);
    values.parse(TOPIC);
    if (values.find(TOPIC).filter(all.get(Settings.SOURCE_TOPICS)::includes).isPresent()) {
      problems.add(
          keyOf(TOPIC)
              + "="
              + values.get(TOPIC)
              + " is among ingest.source.topics, so events would come round again; use a topic that is"
              + " not read");
    }
  }

  private String keyOf(Setting<?> setting) {
    return ofJob(setting.key());
  }

  private String ofJob(String key) {
    return PREFIX + name + key.substring("ingest.job".length());
  }

  private static URI url(String text) {
    try {
      URI url = new URI(text);
      boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (!http || url.getHost() == null) {
        throw InvalidValue.of("is no address of an endpoint; use http://host/path or https://…");
      }
      if (url.getUserInfo() != null) {
        throw InvalidValue.confidential("holds a user; use http.secret to prove who is calling");
      }
      return url;
    } catch (URISyntaxException e) {
      throw InvalidValue.of("is no address; use http://host/path or https://host/path");
    }
  }

  private static String function(String text) {
    if (!text.matches(FUNCTION)) {
      throw InvalidValue.of("is no name of a function; use schema.name without quotes");
    }
    return text;
  }

  /** The key that a variable such as {@code INGEST_JOBS_BIG_ONES_HTTP_URL} stands for. */
  static String keyOf(String variable) {
    String rest = variable.substring(Setting.environmentName(PREFIX).length());
    for (Setting<?> setting : ALL) {
      String suffix = setting.environmentName().substring("INGEST_JOB".length());
      for (String ending : List.of("", "_FILE")) {
        if (rest.endsWith(suffix + ending) && rest.length() > (suffix + ending).length()) {
          return PREFIX
              + hyphened(rest.substring(0, rest.length() - (suffix + ending).length()))
              + setting.key().substring("ingest.job".length())
              + hyphened(ending);
        }
      }
    }
    return PREFIX + hyphened(rest);
  }

  private static String hyphened(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
