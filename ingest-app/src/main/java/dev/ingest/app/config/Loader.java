package dev.ingest.app.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/** Parses and checks everything and collects every problem on the way. Used once, by one thread. */
final class Loader {
  private final List<String> problems = new ArrayList<>();
  private final Values values;
  private final Set<Concern> needed;

  Loader(SettingSources sources, Set<Concern> needed) {
    List<Layer> layers = sources.layers();
    layers.forEach(layer -> problems.addAll(layer.problems()));
    SortedMap<String, Raw> merged = Merge.of(layers);
    Merge.readSecretFiles(merged, problems);
    this.values = new Values(merged);
    this.needed = Set.copyOf(needed);
  }

  Values values() {
    return values;
  }

  /** Problems as sentences without a full stop; the values may be used where there are none. */
  List<String> check() {
    Settings.ALL.forEach(this::parse);
    boolean parsed = problems.isEmpty(); // else there may be a route without its rules
    Settings.ALL.forEach(this::requirePresence);
    values.given().forEach(this::requireKnown);
    problems.addAll(Contradictions.in(values));
    List<String> ofRoutes = Routing.problems(values);
    problems.addAll(ofRoutes);
    problems.addAll(JobReading.problems(values, parsed && ofRoutes.isEmpty()));
    return List.copyOf(problems);
  }

  private void parse(Setting<?> setting) {
    try {
      values.parse(setting);
    } catch (InvalidValue e) {
      values.raw(setting).ifPresent(raw -> problems.add(Sentence.of(setting.key(), raw, e)));
    }
  }

  private void requirePresence(Setting<?> setting) {
    boolean wanted = setting.required() && needed.stream().anyMatch(each -> each.owns(setting));
    if (wanted && !values.isGiven(setting)) {
      problems.add(setting.key() + " is missing; set it or " + setting.environmentName());
    }
  }

  private void requireKnown(String key, Raw raw) {
    boolean known =
        Settings.isListed(key) || Settings.FREE.stream().anyMatch(free -> free.covers(key));
    if (!known) {
      problems.add(key + " is no setting; " + Suggestion.forKey(key) + " (" + raw.origin() + ")");
    }
  }
}
