package dev.ingest.app.run;

import dev.ingest.kafka.Gap;
import dev.ingest.kafka.GapPolicy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on over gaps once each has a row in {@code ingest.gap}; while the database is away it waits,
 * so no gap is passed over without a trace. Thread-safe.
 */
public final class AcceptedGaps implements GapPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptedGaps.class);

  private static final String RECORD =
      """
      INSERT INTO ingest.gap (group_id, topic, partition, next_offset, log_start, log_end)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """;

  private final DataSource database;
  private final String group;

  public AcceptedGaps(DataSource database, String group) {
    this.database = database;
    this.group = group;
  }

  @Override
  public boolean goesOn(List<Gap> gaps) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(RECORD)) {
      for (Gap gap : gaps) {
        record(statement, gap);
      }
    } catch (SQLException away) {
      LOG.warn("gap not recorded, tried again: sqlstate={} gaps={}", away.getSQLState(), gaps);
      return false;
    }
    gaps.forEach(gap -> LOG.warn("gap accepted and recorded in ingest.gap: {}", gap));
    return true;
  }

  private void record(PreparedStatement statement, Gap gap) throws SQLException {
    statement.setString(1, group);
    statement.setString(2, gap.partition().topic());
    statement.setInt(3, gap.partition().partition());
    statement.setLong(4, gap.nextOffset());
    statement.setLong(5, gap.logStart());
    statement.setLong(6, gap.logEnd());
    statement.executeUpdate();
  }
}
