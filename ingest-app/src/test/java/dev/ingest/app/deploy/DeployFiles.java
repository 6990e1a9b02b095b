package dev.ingest.app.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** The files in {@code deploy}, read as the generic values that YAML has. */
final class DeployFiles {
  static final Path ROOT = Path.of("..", "deploy");

  private DeployFiles() {}

  static String text(String file) {
    return text(ROOT.resolve(file));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file, e);
    }
  }

  /** All YAML files below a folder of {@code deploy}. */
  static List<Path> yamlFiles(String folder) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("can't list " + folder, e);
    }
  }

  /** The documents of a YAML file; a key that stands twice fails. */
  static List<Map<String, Object>> documents(Path file) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    List<Map<String, Object>> documents = new ArrayList<>();
    new Yaml(options).loadAll(text(file)).forEach(document -> documents.add(map(document)));
    return documents;
  }

  /** A list that stands as text in another file. */
  static List<Object> inline(String text) {
    return list(new Yaml().load(text));
  }

  static Map<String, Object> document(String file) {
    List<Map<String, Object>> documents = documents(ROOT.resolve(file));
    if (documents.size() != 1) {
      throw new IllegalStateException(file + " has " + documents.size() + " documents");
    }
    return documents.get(0);
  }

  /** What stands at a path of keys and list indexes, such as {@code spec/containers/0}. */
  static Object at(Object node, String path) {
    Object found = node;
    for (String step : path.split("/", -1)) {
      found =
          found instanceof List<?> list ? list.get(Integer.parseInt(step)) : map(found).get(step);
      Objects.requireNonNull(found, () -> "nothing at " + step + " of " + path);
    }
    return found;
  }

  @SuppressWarnings("unchecked") // all keys of these files are text
  static Map<String, Object> map(Object node) {
    return (Map<String, Object>) node;
  }

  @SuppressWarnings("unchecked") // the elements are generic values as well
  static List<Object> list(Object node) {
    return (List<Object>) node;
  }
}
