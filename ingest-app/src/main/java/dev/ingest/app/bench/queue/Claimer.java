package dev.ingest.app.bench.queue;

import java.sql.Connection;
import java.sql.SQLException;

/** How a worker gets jobs done. Used by one thread. */
interface Claimer {
  /**
   * Claims and completes some jobs, and commits.
   *
   * @return how many; 0 where there was none to get
   */
  int step(Connection connection) throws SQLException;

  /** What a session does before the race, so that it is not one that has just begun. */
  default void warmUp(Connection connection) throws SQLException {}
}
