package dev.ingest.app.config;

import java.util.Locale;
import java.util.Optional;

/**
 * Names that begin with {@code prefix} are not in the settings table. Immutable.
 *
 * @param underscore what the sign {@code _} in a variable's name stands for, below the prefix
 * @param values the values they take, for the settings table
 */
record FreePrefix(String prefix, char underscore, String values, String effect) {

  boolean covers(String key) {
    return key.length() > prefix.length() && key.startsWith(prefix);
  }

  /**
   * The key that a variable stands for; the ending {@code _FILE} of a secret stands for {@code
   * -file}.
   */
  Optional<String> keyOf(String variable) {
    String start = Setting.environmentName(prefix);
    if (variable.length() <= start.length() || !variable.startsWith(start)) {
      return Optional.empty();
    }
    if (prefix.equals(Settings.ROUTES.prefix())) {
      return Optional.of(Routing.keyOf(variable));
    }
    if (prefix.equals(Settings.JOBS.prefix())) {
      return Optional.of(JobReading.keyOf(variable));
    }
    String name =
        variable.substring(start.length()).toLowerCase(Locale.ROOT).replace('_', underscore);
    String file = name.replaceFirst("\\.file$", "-file");
    return Optional.of(prefix + (SecretNames.isFileOfSecret(file) ? file : name));
  }
}
