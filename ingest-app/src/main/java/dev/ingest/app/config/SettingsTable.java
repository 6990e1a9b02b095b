package dev.ingest.app.config;

import java.util.stream.Collectors;

/** The settings as a Markdown table, for the README. */
public final class SettingsTable {
  /** Lines between which the README holds the table. */
  public static final String BEGIN = "<!-- settings:begin -->";

  public static final String END = "<!-- settings:end -->";

  private SettingsTable() {}

  /** Ends with a line end. */
  public static String markdown() {
    String rows = Settings.ALL.stream().map(SettingsTable::row).collect(Collectors.joining());
    String free =
        Settings.FREE.stream()
            .map(prefix -> line("`" + prefix.prefix() + "*`", "", prefix.values(), prefix.effect()))
            .collect(Collectors.joining());
    return line("setting", "default", "values", "effect")
        + "| --- | --- | --- | --- |\n"
        + rows
        + free;
  }

  private static String row(Setting<?> setting) {
    String absent = setting.required() ? "required" : "";
    String defaultText = setting.defaultValue().map(text -> "`" + text + "`").orElse(absent);
    return line("`" + setting.key() + "`", defaultText, setting.type().values(), setting.effect());
  }

  private static String line(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
