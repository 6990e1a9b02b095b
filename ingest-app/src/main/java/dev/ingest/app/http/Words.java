package dev.ingest.app.http;

import java.util.Locale;

/** How values are said to people. */
final class Words {
  private Words() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static String of(FaultNote fault) {
    return fault.sqlState().isEmpty()
        ? fault.message()
        : "sqlstate=" + fault.sqlState() + " " + fault.message();
  }
}
