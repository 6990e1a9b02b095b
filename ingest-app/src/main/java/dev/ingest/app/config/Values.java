package dev.ingest.app.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Texts by key and parsed values by setting. Filled by {@link #parse}, then only read. */
final class Values {
  static final String DEFAULT = "default";

  private final SortedMap<String, Raw> raws;
  private final Map<Setting<?>, Object> parsed = new HashMap<>();

  /**
   * @param raws what the layers say
   */
  Values(SortedMap<String, Raw> raws) {
    this.raws = new TreeMap<>(raws);
  }

  /** Throws {@link InvalidValue}; without a text the setting keeps no value. */
  <T> void parse(Setting<T> setting) {
    raw(setting).ifPresent(raw -> parsed.put(setting, setting.type().parse(raw.text())));
  }

  /** What was given for the setting, or else its default. */
  Optional<Raw> raw(Setting<?> setting) {
    Raw given = raws.get(setting.key());
    return given != null
        ? Optional.of(given)
        : setting.defaultValue().map(text -> new Raw(text, DEFAULT));
  }

  <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    setting.key() + " was not asked for when settings were read"));
  }

  @SuppressWarnings("unchecked") // parse puts nothing but a value of the setting's own type
  <T> Optional<T> find(Setting<T> setting) {
    return Optional.ofNullable((T) parsed.get(setting));
  }

  /** Whether somebody set it, be it to its default. */
  boolean isGiven(Setting<?> setting) {
    return raws.containsKey(setting.key());
  }

  /** All that was given, by key, ascending. */
  SortedMap<String, Raw> given() {
    return raws;
  }

  /** What was given under a free prefix, by its name below the prefix. */
  SortedMap<String, String> below(FreePrefix free) {
    SortedMap<String, String> names = new TreeMap<>();
    raws.forEach(
        (key, raw) -> {
          if (free.covers(key) && !SecretNames.isFileOfSecret(key)) {
            names.put(key.substring(free.prefix().length()), raw.text());
          }
        });
    return names;
  }
}
