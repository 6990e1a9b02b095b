package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.writers.CopyIn;
import dev.ingest.app.bench.writers.RowByRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** One way to bring a topic into the table. Runs in a process of its own. */
public enum Contestant {
  /** The product as it comes: a lock for each key. */
  INGEST("ingest, lock per key"),
  /** The product with a lock for each key, where the unique index finds keys that are there. */
  INGEST_ON_CONFLICT("ingest, lock per key, ON CONFLICT"),
  /** The product with composite hashing: keys share 256 locks. */
  INGEST_STRIPES("ingest, 256 stripes"),
  /** The product without locks: the unique index alone. */
  INGEST_NO_LOCK("ingest, no lock"),
  /** The product with six typed columns, five of them fields of the value, and no payload. */
  INGEST_TYPED("ingest, six typed columns"),
  /** What people write by hand first: a lock and an insert for each event. */
  PER_ROW("lock and insert row by row"),
  /** No protection at all: fails at the first duplicate. */
  COPY("COPY, no dedupe"),
  /** Not even a key: duplicates come in. */
  COPY_KEYLESS("COPY, keyless table");

  /** A copy of the default table without its key. */
  static final String KEYLESS_TABLE = "ingest.keyless";

  private static final String TYPED_TABLE = "ingest.typed";

  /** Makes the tables beside the default one, empty. */
  static final String[] MAKE_TABLES = {
    "DROP TABLE IF EXISTS " + KEYLESS_TABLE,
    "CREATE TABLE " + KEYLESS_TABLE + " (LIKE ingest.event INCLUDING DEFAULTS)",
    "DROP TABLE IF EXISTS " + TYPED_TABLE,
    "CREATE TABLE "
        + TYPED_TABLE
        + " (id text COLLATE \"C\" PRIMARY KEY, device text, celsius numeric, humidity numeric,"
        + " battery numeric, sequence bigint) WITH (autovacuum_enabled = false)"
  };

  private static final String[] TYPED = {
    "ingest.target.table=" + TYPED_TABLE,
    "ingest.target.columns.id=key",
    "ingest.target.columns.device=json:/device",
    "ingest.target.columns.celsius=json:/celsius",
    "ingest.target.columns.humidity=json:/humidity",
    "ingest.target.columns.battery=json:/battery",
    "ingest.target.columns.sequence=json:/sequence"
  };

  private final String title;

  Contestant(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Ten times slower than the others, so it reads fewer events. */
  boolean isSlow() {
    return this == PER_ROW;
  }

  /** Reads the whole workload and says how long it took. */
  Measured run(Workload workload) throws InterruptedException {
    Meter meter = new Meter(workload);
    return switch (this) {
      case INGEST -> ProductRun.run(workload, meter, "ingest.lock.mode=key");
      case INGEST_ON_CONFLICT -> ProductRun.run(workload, meter, "ingest.dedupe.prefilter=off");
      case INGEST_STRIPES -> ProductRun.run(workload, meter, "ingest.lock.mode=stripe");
      case INGEST_NO_LOCK -> ProductRun.run(workload, meter, "ingest.lock.mode=none");
      case INGEST_TYPED -> ProductRun.run(workload, meter, TYPED);
      case PER_ROW -> HandWritten.run(workload, meter, RowByRow::new);
      case COPY -> HandWritten.run(workload, meter, on -> copy(on, workload, "ingest.event"));
      case COPY_KEYLESS ->
          HandWritten.run(workload, meter, on -> copy(on, workload, KEYLESS_TABLE));
    };
  }

  private static CopyIn copy(Connection connection, Workload workload, String table)
      throws SQLException {
    return workload.table().isEmpty()
        ? new CopyIn(connection, table, true)
        : new CopyIn(connection, workload.table(), false);
  }

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
