package dev.ingest.mapping;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a record without a value. Immutable.
 *
 * @param column which says that a row is deleted; null unless the action is SOFT_DELETE
 */
public record TombstoneRule(Action action, @Nullable String column) {
  public static final TombstoneRule STORE = new TombstoneRule(Action.STORE, null);

  private static final Pattern SOFT_DELETE = Pattern.compile("soft-delete\\(([^()]+)\\)");

  /** What is done. */
  public enum Action {
    /** It is an event like any other. */
    STORE,
    /** It is passed over. */
    SKIP,
    /** It counts as an event that can't be stored. */
    PARK,
    /** The row of its key is deleted. */
    DELETE,
    /** The row of its key is marked as deleted. */
    SOFT_DELETE
  }

  public TombstoneRule {
    Objects.requireNonNull(action, "action");
    if ((action == Action.SOFT_DELETE) != (column != null)) {
      throw new IllegalArgumentException("A column, and only a soft delete, marks a row.");
    }
  }

  /** Whether rows go. */
  public boolean deletes() {
    return action == Action.DELETE || action == Action.SOFT_DELETE;
  }

  /**
   * @throws IllegalArgumentException where the text is none; the message continues "VALUE"
   */
  public static TombstoneRule parse(String text) {
    Matcher soft = SOFT_DELETE.matcher(text);
    if (soft.matches()) {
      return new TombstoneRule(Action.SOFT_DELETE, soft.group(1).strip());
    }
    return switch (text) {
      case "store" -> STORE;
      case "skip" -> new TombstoneRule(Action.SKIP, null);
      case "park" -> new TombstoneRule(Action.PARK, null);
      case "delete" -> new TombstoneRule(Action.DELETE, null);
      default ->
          throw new IllegalArgumentException(
              "is unknown; use store, skip, park, delete, or soft-delete(column)");
    };
  }

  /** As a setting says it. */
  @Override
  public String toString() {
    return switch (action) {
      case STORE -> "store";
      case SKIP -> "skip";
      case PARK -> "park";
      case DELETE -> "delete";
      case SOFT_DELETE -> "soft-delete(" + column + ")";
    };
  }
}
