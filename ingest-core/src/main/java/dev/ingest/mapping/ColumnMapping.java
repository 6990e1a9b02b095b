package dev.ingest.mapping;

import java.util.Objects;

/**
 * One column, where its value comes from, and in which form. Immutable.
 *
 * @param column name as the catalog has it
 */
public record ColumnMapping(String column, ColumnSource source, ValueForm form) {
  /** Parts source and form in a setting: {@code json:/at | epoch-ms}. */
  private static final String FORM = " | ";

  public ColumnMapping {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(form, "form");
  }

  /**
   * @param text such as {@code key} or {@code json:/properties/time | epoch-ms}
   * @throws IllegalArgumentException where it says no source or no form; the message continues a
   *     sentence that began with the setting
   */
  public static ColumnMapping parse(String column, String text) {
    int mark = text.lastIndexOf(FORM);
    if (mark < 0 || text.startsWith("constant:")) {
      return new ColumnMapping(column, ColumnSource.parse(text), ValueForm.PLAIN);
    }
    return new ColumnMapping(
        column,
        ColumnSource.parse(text.substring(0, mark).strip()),
        ValueForm.parse(text.substring(mark + FORM.length())));
  }
}
