package dev.ingest.app.config;

/**
 * One setting as it stands. Immutable.
 *
 * @param value the text; masked where it is a secret, empty where the setting has no value
 * @param origin {@code default}, {@code unset}, or who set it: {@code ingest.yaml:12}, a variable's
 *     name, {@code --set}, the key of a secret file
 */
public record EffectiveSetting(String key, String value, String origin) {
  private static final String UNSET = "unset";

  static EffectiveSetting of(String key, Raw raw) {
    return new EffectiveSetting(
        key, SecretNames.matches(key) ? Secret.MASK : raw.text(), raw.origin());
  }

  static EffectiveSetting unset(String key) {
    return new EffectiveSetting(key, "", UNSET);
  }

  public boolean isSet() {
    return !origin.equals(UNSET);
  }
}
