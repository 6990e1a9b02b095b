package dev.ingest.app.http;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What the process knows of itself. Thread-safe. */
public interface HealthView {
  /** Every consumer of the process, in the order of their names. Answers from memory. */
  List<ConsumerStatus> consumers();

  /**
   * Why nothing can be written to the database now, empty where it can. In words that hold no
   * secret. May ask the database, and then takes as long as a connection may take.
   */
  Optional<String> databaseProblem();

  /** What is waited for before the consumers start; empty once nothing is. Answers from memory. */
  Optional<String> starting();

  /**
   * A view that asks the database only when no consumer has committed anything for a moment.
   *
   * @param consumers answers from memory
   * @param databaseCheck the problem with writing, empty where there is none; one call at a time
   * @param starting what is waited for before the consumers start, empty once nothing is
   */
  static HealthView of(
      Supplier<List<ConsumerStatus>> consumers,
      Supplier<Optional<String>> databaseCheck,
      Supplier<Optional<String>> starting,
      InstantSource clock) {
    DatabaseWatch database = new DatabaseWatch(databaseCheck, clock);
    return new HealthView() {
      @Override
      public List<ConsumerStatus> consumers() {
        return consumers.get();
      }

      @Override
      public Optional<String> databaseProblem() {
        return database.problem(consumers.get());
      }

      @Override
      public Optional<String> starting() {
        return starting.get();
      }
    };
  }
}
