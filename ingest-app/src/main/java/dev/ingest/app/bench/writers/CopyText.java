package dev.ingest.app.bench.writers;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyManager;

/** Rows in the text form of COPY, tabs between columns. */
final class CopyText {
  private static final int BUFFER = 1 << 18;

  private final StringBuilder text = new StringBuilder();
  private boolean begun;

  /** The next column of the row; null for NULL. */
  CopyText value(@Nullable String value) {
    if (begun) {
      text.append('\t');
    }
    begun = true;
    if (value == null) {
      text.append("\\N");
      return this;
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\t' -> text.append("\\t");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        default -> text.append(c);
      }
    }
    return this;
  }

  void endRow() {
    text.append('\n');
    begun = false;
  }

  void copyIn(CopyManager copy, String sql) throws SQLException {
    try {
      copy.copyIn(sql, new StringReader(text.toString()), BUFFER);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
