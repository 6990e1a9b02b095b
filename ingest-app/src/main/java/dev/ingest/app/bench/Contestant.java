package dev.ingest.app.bench;

/** One way to bring a topic into the table. Runs in a process of its own. */
enum Contestant {
  /** The product as it comes: a lock for each key. */
  INGEST("ingest, lock per key"),
  /** The product without locks: the unique index alone. */
  INGEST_NO_LOCK("ingest, no lock"),
  /** What people write by hand first: a lock and an insert for each event. */
  PER_ROW("lock and insert row by row"),
  /** No protection at all: fails at the first duplicate. */
  COPY("COPY, no dedupe");

  private final String title;

  Contestant(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Reads the whole workload and says how long it took. */
  Measured run(Workload workload) throws InterruptedException {
    Meter meter = new Meter(workload.events());
    return switch (this) {
      case INGEST -> ProductRun.run(this, workload, meter, "key");
      case INGEST_NO_LOCK -> ProductRun.run(this, workload, meter, "none");
      case PER_ROW -> HandWritten.run(this, workload, meter, RowByRow::new);
      case COPY -> HandWritten.run(this, workload, meter, CopyIn::new);
    };
  }
}
