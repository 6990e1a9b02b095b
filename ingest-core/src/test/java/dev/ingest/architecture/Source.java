package dev.ingest.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One Java file of the module whose directory is the working one.
 *
 * @param path relative to the module
 */
record Source(Path path, String text) {
  static final Path MAIN = Path.of("src", "main", "java");
  static final Path TEST = Path.of("src", "test", "java");

  static List<Source> under(Path root) {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (var files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .map(Source::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + root, e);
    }
  }

  private static Source read(Path path) {
    try {
      return new Source(path, Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + path, e);
    }
  }

  String packageName() {
    Path root = path.startsWith(MAIN) ? MAIN : TEST;
    return root.relativize(path.getParent()).toString().replace('/', '.');
  }

  String fileName() {
    return path.getFileName().toString();
  }

  long lines() {
    return text.lines().count();
  }

  boolean has(Pattern pattern) {
    return pattern.matcher(text).find();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
