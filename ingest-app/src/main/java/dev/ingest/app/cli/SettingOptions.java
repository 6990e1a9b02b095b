package dev.ingest.app.cli;

import dev.ingest.app.config.Concern;
import dev.ingest.app.config.Config;
import dev.ingest.app.config.SettingSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command's settings come from. */
final class SettingOptions {
  private static final Path NONE = Path.of("");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "${env:INGEST_CONFIG}",
      description = "Settings file (default: INGEST_CONFIG, or ingest.yaml where it is there).")
  private @Nullable Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting, over file and environment; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  /** A setting that another option of the command stands for; it wins over the others. */
  void assign(String assignment) {
    assignments.add(assignment);
  }

  /**
   * @param needed concerns whose required settings must be there
   * @throws dev.ingest.event.IngestException with every problem at once
   */
  Config load(Set<Concern> needed) {
    Path given = file == null ? NONE : file;
    boolean named = !given.equals(NONE); // an empty INGEST_CONFIG names none
    Path from = named ? given : SettingSources.DEFAULT_FILE;
    return Config.load(new SettingSources(from, named, System.getenv(), assignments), needed);
  }
}
