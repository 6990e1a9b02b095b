package dev.ingest.app.config;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What to do about a name that is unknown. */
final class Suggestion {
  private static final int CLOSE = 4;

  private Suggestion() {}

  static String forKey(String key) {
    if (names().anyMatch(known -> known.startsWith(key + "."))) {
      return "it is a group; use one of " + String.join(", ", below(key));
    }
    return nearest(key, names().toList())
        .map(known -> "did you mean " + known + "?")
        .orElseGet(() -> siblings(key));
  }

  static String forVariable(String variable) {
    return nearest(variable, names().map(Setting::environmentName).toList())
        .map(known -> "did you mean " + known + "?")
        .orElse("ingest config --table shows them all");
  }

  private static String siblings(String key) {
    int dot = key.lastIndexOf('.');
    List<String> siblings = dot < 0 ? List.of() : below(key.substring(0, dot));
    return siblings.isEmpty() || key.lastIndexOf('.') == "ingest".length()
        ? "ingest config --table shows them all"
        : "use one of " + String.join(", ", siblings);
  }

  private static List<String> below(String group) {
    return names().filter(known -> known.startsWith(group + ".")).toList();
  }

  private static Stream<String> names() {
    return Settings.ALL.stream().map(Setting::key);
  }

  private static Optional<String> nearest(String name, List<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(each -> distance(name, each)))
        .filter(each -> distance(name, each) <= CLOSE);
  }

  /** Levenshtein's edit distance: insertions, deletions and replacements between the two. */
  static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
