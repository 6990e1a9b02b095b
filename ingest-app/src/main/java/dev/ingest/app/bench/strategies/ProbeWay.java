package dev.ingest.app.bench.strategies;

import dev.ingest.app.bench.writers.ProbeThenCopy;
import dev.ingest.plan.LockScheme;
import java.util.Locale;

/** How keys are looked for and rows written, under the keys' locks. */
public enum ProbeWay {
  /** The product: one statement looks and inserts. */
  INSERT("INSERT", false, false),
  INSERT_WINDOW("INSERT, window of 7 days", false, true),
  /** By hand: one statement looks, COPY writes. */
  COPY("COPY", true, false),
  COPY_WINDOW("COPY, window of 7 days", true, true);

  private final String title;
  private final boolean copying;
  private final boolean windowed;

  ProbeWay(String title, boolean copying, boolean windowed) {
    this.title = title;
    this.copying = copying;
    this.windowed = windowed;
  }

  String title() {
    return title;
  }

  /** A window needs times by which the table is divided. */
  boolean fits(ProbedTable table) {
    return !windowed || table.partitions() > 0;
  }

  Strategy into(ProbedTable table) {
    if (!copying) {
      return Strategy.product(title, table.mapping(windowed), LockScheme.perKey());
    }
    ProbeThenCopy.Table copied = table.copied(windowed);
    return new Strategy(
        title,
        (database, retries) ->
            new JdbcSession(
                database, connection -> new ProbeThenCopy(connection, copied), retries));
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
