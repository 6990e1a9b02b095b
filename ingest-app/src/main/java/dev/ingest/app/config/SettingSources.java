package dev.ingest.app.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Where settings come from; of two places that set the same key the later one wins: the file, the
 * environment, the assignments. Immutable.
 *
 * @param file the YAML file
 * @param fileRequired whether it is an error if the file isn't there
 * @param environment variables of the process
 * @param assignments {@code key=value} each, as given with {@code --set}
 */
public record SettingSources(
    Path file, boolean fileRequired, Map<String, String> environment, List<String> assignments) {

  /** The file that is read, if it is there, when none was named. */
  public static final Path DEFAULT_FILE = Path.of("ingest.yaml");

  private static final int FILE = 100;
  private static final int ENVIRONMENT = 300;
  private static final int ASSIGNMENTS = 400;

  public SettingSources {
    environment = Map.copyOf(environment);
    assignments = List.copyOf(assignments);
  }

  List<Layer> layers() {
    return List.of(
        fileLayer(),
        EnvironmentLayer.read(environment, ENVIRONMENT),
        SetLayer.read(assignments, ASSIGNMENTS));
  }

  private Layer fileLayer() {
    Layer empty = new Layer(file.toString(), FILE);
    if (!fileRequired && Files.notExists(file)) {
      return empty;
    }
    try (Reader reader = Files.newBufferedReader(file)) {
      return YamlLayer.read(file.toString(), reader, FILE);
    } catch (IOException e) {
      empty.problem(
          "the settings file "
              + file
              + " cannot be read ("
              + e.getClass().getSimpleName()
              + "); check --config and its rights");
      return empty;
    }
  }
}
