package dev.ingest.app.config;

import dev.ingest.plan.KeyRules;
import java.util.List;
import java.util.Objects;

/**
 * Where the business key comes from. Immutable.
 *
 * @param parts at least one; several are joined in this order
 * @param rules what is done to the key before it is stored
 */
public record KeySettings(List<KeyPart> parts, KeyRules rules) {
  public KeySettings {
    parts = List.copyOf(parts);
    Objects.requireNonNull(rules, "rules");
  }

  /**
   * @param values whose settings have been parsed
   */
  static KeySettings of(Values values) {
    return new KeySettings(
        values.get(Settings.KEY_FROM),
        new KeyRules(
            values.find(Settings.KEY_NORMALIZE).orElse(List.of()),
            values.get(Settings.KEY_TOO_LONG)));
  }
}
