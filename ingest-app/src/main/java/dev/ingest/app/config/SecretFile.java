package dev.ingest.app.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a secret from a file, without the line end that editors add. */
final class SecretFile {
  private SecretFile() {}

  /** Throws {@link InvalidValue}. */
  static String read(Path file) {
    String content;
    try {
      content = Files.readString(file).replaceFirst("\\R\\z", "");
    } catch (IOException e) {
      throw InvalidValue.of(
          "cannot be read (" + e.getClass().getSimpleName() + "); check path and rights");
    }
    if (content.isEmpty()) {
      throw InvalidValue.of("is empty; write the secret into it");
    }
    return content;
  }
}
