package dev.ingest.app.config;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.MapBackedConfigValueConfigSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one place of settings says, and what is wrong with it. Filled once, by one thread. */
final class Layer {
  private final String name;
  private final int ordinal;
  private final SortedMap<String, ConfigValue> values = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param name shown as the origin of its values
   * @param ordinal the layer with the higher one wins
   */
  Layer(String name, int ordinal) {
    this.name = name;
    this.ordinal = ordinal;
  }

  /** An empty value counts as a problem: leaving a name out is how to say nothing. */
  void put(String key, String value, int line) {
    if (value.isBlank()) {
      problem(key + " has no value; give one or leave it out" + at(line));
    } else if (values.containsKey(key)) {
      problem(key + " is set twice; keep one" + at(line));
    } else {
      values.put(
          key,
          ConfigValue.builder()
              .withName(key)
              .withValue(value)
              .withConfigSourceName(name)
              .withConfigSourceOrdinal(ordinal)
              .withLineNumber(line)
              .build());
    }
  }

  void put(String key, String value) {
    put(key, value, -1);
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  private String at(int line) {
    return " (" + (line > 0 ? name + ":" + line : name) + ")";
  }

  void problem(String sentence) {
    problems.add(sentence);
  }

  List<String> problems() {
    return List.copyOf(problems);
  }

  List<ConfigValue> values() {
    return List.copyOf(values.values());
  }

  Source source() {
    return new Source(name, values, ordinal);
  }

  /** The layer as SmallRye Config takes it. */
  static final class Source extends MapBackedConfigValueConfigSource {
    private static final long serialVersionUID = 1L;

    Source(String name, SortedMap<String, ConfigValue> values, int ordinal) {
      super(name, values, ordinal);
    }
  }
}
