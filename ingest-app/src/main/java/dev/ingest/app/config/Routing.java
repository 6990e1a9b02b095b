package dev.ingest.app.config;

import dev.ingest.plan.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Routes: {@code ingest.routes.NAME.X} is for one route what {@code ingest.X} is for all. A route
 * takes what it does not set from there; without any route there is one for everything.
 */
final class Routing {
  private static final String PREFIX = Settings.ROUTES.prefix();
  private static final String NAME = "[a-z0-9][a-z0-9-]*";

  /** Not a setting of its own: it exists below a route alone. */
  private static final Setting<Topics> TOPICS =
      Setting.optional(
          "ingest.topics",
          TextTypes.of("names, or one pattern", Topics::parse),
          "Topics of a route.");

  private final Values all;
  private final String name;

  private Routing(Values all, String name) {
    this.all = all;
    this.name = name;
  }

  private static List<String> names(Values values) {
    return List.copyOf(
        values.below(Settings.ROUTES).keySet().stream()
            .filter(key -> key.indexOf('.') > 0)
            .map(key -> key.substring(0, key.indexOf('.')))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Routes in the order of their names. Needs {@link Concern#SOURCE}. */
  static List<RouteSettings> of(Values values) {
    Topics read = values.get(Settings.SOURCE_TOPICS);
    List<String> names = names(values);
    if (names.isEmpty()) {
      return List.of(
          new RouteSettings(
              Route.DEFAULT,
              read,
              KeySettings.of(values),
              ValueSettings.of(values),
              TargetSettings.of(values, TargetSettings.PREFIX)));
    }
    return names.stream().map(name -> new Routing(values, name).route(read)).toList();
  }

  private RouteSettings route(Topics read) {
    Values own = merged();
    Settings.PER_ROUTE.forEach(own::parse);
    TargetSettings.FOR_ALL_ROUTES.forEach(own::parse);
    return new RouteSettings(
        name,
        topics(read),
        KeySettings.of(own),
        ValueSettings.of(own),
        TargetSettings.of(own, targetPrefix()));
  }

  /** Sentences without a full stop. */
  static List<String> problems(Values values) {
    List<String> names = names(values);
    if (names.isEmpty()) {
      List<String> problems =
          new ArrayList<>(TargetSettings.problems(values, TargetSettings.PREFIX));
      problems.addAll(ValueRules.problems(values, "ingest."));
      return problems;
    }
    List<String> problems = new ArrayList<>();
    values.below(Settings.ROUTES).keySet().stream()
        .filter(key -> key.indexOf('.') <= 0)
        .forEach(key -> problems.add(PREFIX + key + " names no setting of a route; add one"));
    List<Routing> routes = names.stream().map(name -> new Routing(values, name)).toList();
    routes.forEach(route -> route.check(problems));
    if (problems.isEmpty()) {
      values.find(Settings.SOURCE_TOPICS).ifPresent(read -> checkTopics(routes, read, problems));
    }
    return problems;
  }

  private void check(List<String> problems) {
    if (!name.matches(NAME)) {
      problems.add(PREFIX + name + " is no name of a route; use small letters, digits and hyphens");
    }
    SortedMap<String, Raw> own = own();
    own.forEach((key, raw) -> checkKnown(key, raw, problems));
    checkValue(TOPICS, own, problems);
    Settings.PER_ROUTE.forEach(setting -> checkValue(setting, own, problems));
    Values merged = merged();
    problems.addAll(TargetSettings.problems(merged, targetPrefix()));
    if (problems.isEmpty()) {
      Settings.PER_ROUTE.forEach(merged::parse);
      problems.addAll(ValueRules.problems(merged, PREFIX + name + "."));
    }
  }

  private void checkKnown(String key, Raw raw, List<String> problems) {
    boolean known =
        key.equals(TOPICS.key())
            || Settings.TARGET_COLUMNS.covers(key)
            || Settings.PER_ROUTE.stream().anyMatch(setting -> setting.key().equals(key));
    if (!known) {
      problems.add(
          ofRoute(key)
              + " is no setting of a route; use "
              + Settings.PER_ROUTE.stream()
                  .map(setting -> setting.key().substring("ingest.".length()))
                  .collect(Collectors.joining(", ", "topics, target.columns.NAME, ", ""))
              + " ("
              + raw.origin()
              + ")");
    }
  }

  private void checkValue(Setting<?> setting, SortedMap<String, Raw> own, List<String> problems) {
    Raw raw = own.get(setting.key());
    if (raw != null) {
      try {
        setting.type().parse(raw.text());
      } catch (InvalidValue e) {
        problems.add(Sentence.of(ofRoute(setting.key()), raw, e));
      }
    }
  }

  private Topics topics(Topics read) {
    Raw raw = own().get(TOPICS.key());
    return raw == null ? read : TOPICS.type().parse(raw.text());
  }

  /** Topics that are named must be read, and what is read must be taken. */
  private static void checkTopics(List<Routing> routes, Topics read, List<String> problems) {
    for (Routing route : routes) {
      if (route.topics(read) instanceof Topics.Names names) {
        names.names().stream()
            .filter(topic -> !read.includes(topic))
            .forEach(
                topic ->
                    problems.add(
                        route.ofRoute(TOPICS.key())
                            + " names "
                            + topic
                            + ", which is not read; add it to ingest.source.topics"));
      }
    }
    if (read instanceof Topics.Names names) {
      names.names().stream()
          .filter(topic -> routes.stream().noneMatch(route -> route.topics(read).includes(topic)))
          .forEach(
              topic ->
                  problems.add(
                      "no route takes topic "
                          + topic
                          + "; add it to an ingest.routes.NAME.topics, or leave it out of"
                          + " ingest.source.topics"));
    }
  }

  private String ofRoute(String key) {
    return PREFIX + name + key.substring("ingest".length());
  }

  private String targetPrefix() {
    boolean ownTarget =
        own().keySet().stream().anyMatch(key -> key.startsWith(TargetSettings.PREFIX));
    return ownTarget ? ofRoute(TargetSettings.PREFIX) : TargetSettings.PREFIX;
  }

  /** What the route sets, by the names that hold for all routes. */
  private SortedMap<String, Raw> own() {
    String prefix = PREFIX + name + ".";
    SortedMap<String, Raw> own = new TreeMap<>();
    all.given()
        .forEach(
            (key, raw) -> {
              if (key.startsWith(prefix)) {
                own.put("ingest." + key.substring(prefix.length()), raw);
              }
            });
    return own;
  }

  /** What holds on the route. Columns are taken from one place, never mixed. */
  private Values merged() {
    SortedMap<String, Raw> own = own();
    boolean ownColumns = own.keySet().stream().anyMatch(Settings.TARGET_COLUMNS::covers);
    SortedMap<String, Raw> merged = new TreeMap<>(all.given());
    merged.keySet().removeIf(key -> Settings.ROUTES.covers(key));
    if (ownColumns) {
      merged.keySet().removeIf(key -> Settings.TARGET_COLUMNS.covers(key));
    }
    merged.putAll(own);
    return new Values(merged);
  }

  /** The key that a variable such as {@code INGEST_ROUTES_BIG_TARGET_TABLE} stands for. */
  static String keyOf(String variable) {
    String start = Setting.environmentName(PREFIX);
    String rest = variable.substring(start.length());
    String columns = "_" + Setting.environmentName("target.columns.");
    int at = rest.indexOf(columns);
    if (at > 0) {
      return PREFIX
          + hyphened(rest.substring(0, at))
          + ".target.columns."
          + rest.substring(at + columns.length()).toLowerCase(Locale.ROOT);
    }
    List<Setting<?>> settings = new ArrayList<>(Settings.PER_ROUTE);
    settings.add(TOPICS);
    for (Setting<?> setting : settings) {
      String suffix = setting.environmentName().substring("INGEST".length());
      if (rest.endsWith(suffix) && rest.length() > suffix.length()) {
        return PREFIX
            + hyphened(rest.substring(0, rest.length() - suffix.length()))
            + setting.key().substring("ingest".length());
      }
    }
    return PREFIX + hyphened(rest);
  }

  private static String hyphened(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
