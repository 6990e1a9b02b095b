package dev.ingest.app.config;

import java.util.Locale;
import java.util.Optional;

/** Names that begin with {@code prefix} are passed on unchecked. Immutable. */
record FreePrefix(String prefix, String effect) {

  boolean covers(String key) {
    return key.length() > prefix.length() && key.startsWith(prefix);
  }

  /**
   * The key that a variable stands for: below the prefix, {@code _} stands for a dot, and the
   * ending {@code _FILE} of a secret for {@code -file}.
   */
  Optional<String> keyOf(String variable) {
    String start = Setting.environmentName(prefix);
    if (variable.length() <= start.length() || !variable.startsWith(start)) {
      return Optional.empty();
    }
    String name = variable.substring(start.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    String file = name.replaceFirst("\\.file$", "-file");
    return Optional.of(prefix + (SecretNames.isFileOfSecret(file) ? file : name));
  }
}
