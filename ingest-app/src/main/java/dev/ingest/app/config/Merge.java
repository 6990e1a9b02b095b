package dev.ingest.app.config;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Lays the layers over each other and puts the content of secret files in their place. */
final class Merge {
  private Merge() {}

  /** The winning text for each key that any layer sets, unknown keys included. */
  static SortedMap<String, Raw> of(List<Layer> layers) {
    // Sources and nothing else: without interceptors a "$" in a value stays a "$".
    SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
    layers.forEach(layer -> builder.withSources(layer.source()));
    SmallRyeConfig config = builder.build();
    SortedMap<String, Raw> merged = new TreeMap<>();
    for (String key : config.getPropertyNames()) {
      ConfigValue value = config.getConfigValue(key);
      merged.put(key, new Raw(value.getValue(), origin(value)));
    }
    return merged;
  }

  private static String origin(ConfigValue value) {
    if (value.getConfigSourceName().equals(EnvironmentLayer.NAME)) {
      return Setting.environmentName(value.getName());
    }
    String line = value.getLineNumber() > 0 ? ":" + value.getLineNumber() : "";
    return value.getConfigSourceName() + line;
  }

  /** For {@code x-file}, where x is a secret: x becomes what the file holds. */
  static void readSecretFiles(SortedMap<String, Raw> merged, List<String> problems) {
    new TreeMap<>(merged)
        .forEach(
            (fileKey, file) -> {
              if (SecretNames.isFileOfSecret(fileKey)) {
                readSecretFile(fileKey, file, merged, problems);
              }
            });
  }

  private static void readSecretFile(
      String fileKey, Raw file, SortedMap<String, Raw> merged, List<String> problems) {
    String key = SecretNames.secretOf(fileKey);
    if (merged.containsKey(key)) {
      problems.add(key + " and " + fileKey + " are both set; keep one");
      return;
    }
    try {
      merged.put(key, new Raw(content(file.text()), fileKey));
    } catch (InvalidValue e) {
      problems.add(Sentence.of(fileKey, file, e));
    }
  }

  /** Without the one line end that editors add. */
  private static String content(String file) {
    String content;
    try {
      content = Files.readString(Path.of(file)).replaceFirst("\\R\\z", "");
    } catch (IOException | InvalidPathException e) {
      throw InvalidValue.of(
          "cannot be read (" + e.getClass().getSimpleName() + "); check path and rights");
    }
    if (content.isEmpty()) {
      throw InvalidValue.of("is empty; write the secret into it");
    }
    return content;
  }
}
