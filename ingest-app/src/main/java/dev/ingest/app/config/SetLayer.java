package dev.ingest.app.config;

import java.util.List;

/**
 * Reads {@code --set key=value} options into a layer. Of two for the same key the later one wins.
 */
final class SetLayer {
  static final String NAME = "--set";

  private SetLayer() {}

  static Layer read(List<String> assignments, int ordinal) {
    Layer layer = new Layer(NAME, ordinal);
    // The last one wins, so the list is read from its end.
    for (int i = assignments.size() - 1; i >= 0; i--) {
      int equals = assignments.get(i).indexOf('=');
      if (equals <= 0) {
        layer.problem(
            "--set number "
                + (i + 1)
                + " is not of the form key=value; use --set ingest.batch.max-events=500");
        continue;
      }
      String key = assignments.get(i).substring(0, equals).strip();
      if (!layer.has(key)) {
        layer.put(key, assignments.get(i).substring(equals + 1));
      }
    }
    return layer;
  }
}
