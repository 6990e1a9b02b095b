package dev.ingest.postgres;

import java.util.Objects;

/**
 * An insert in two forms with the same parameters. Immutable.
 *
 * @param counting inserts rows in array order, passes over keys that are there, and counts
 * @param telling does the same and returns which rows were inserted
 */
record InsertSql(String counting, String telling) {
  InsertSql {
    Objects.requireNonNull(counting, "counting");
    Objects.requireNonNull(telling, "telling");
  }
}
