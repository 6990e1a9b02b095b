package dev.ingest.app.config;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * How parked events come back. Immutable.
 *
 * @param retry causes that heal by themselves
 * @param maxAttempts tries of an event in all; after them a person must look
 */
public record ParkedSettings(HealingCauses retry, int maxAttempts) {
  public ParkedSettings {
    Objects.requireNonNull(retry, "retry");
  }

  /**
   * Causes that heal by themselves. Immutable.
   *
   * @param sqlStates of the refusal
   * @param missingPartition no partition took the row
   */
  public record HealingCauses(List<String> sqlStates, boolean missingPartition) {
    private static final String FOREIGN_KEY_VIOLATION = "23503";

    public HealingCauses {
      sqlStates = List.copyOf(sqlStates);
    }

    /** Reads {@code foreign-key}, {@code missing-partition} and SQLSTATEs joined by commas. */
    static HealingCauses parse(String text) {
      if (text.equals("none")) {
        return new HealingCauses(List.of(), false);
      }
      List<String> words = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
      List<String> states =
          words.stream()
              .filter(word -> !word.equals("missing-partition"))
              .map(HealingCauses::state)
              .toList();
      return new HealingCauses(states, states.size() < words.size());
    }

    private static String state(String word) {
      if (word.equals("foreign-key")) {
        return FOREIGN_KEY_VIOLATION;
      }
      if (!word.matches("[0-9A-Z]{5}")) {
        throw InvalidValue.of(
            "names no cause; use foreign-key, missing-partition, SQLSTATEs such as 23514, or none");
      }
      return word;
    }
  }
}
