package dev.ingest.app.schema;

import dev.ingest.app.config.PostgresSettings;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections for work on the schema: one session each, no pool. */
public final class Connections {
  private Connections() {}

  /**
   * A statement may take as long as it needs (an index on a large table does), so there is no
   * socket timeout; a dead peer is found by keep-alive.
   */
  public static DataSource unpooled(PostgresSettings settings) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(settings.url());
    dataSource.setUser(settings.user());
    if (settings.password().isPresent()) {
      dataSource.setPassword(settings.password().reveal());
    }
    dataSource.setApplicationName(settings.applicationName());
    dataSource.setConnectTimeout(wholeSeconds(settings.connectTimeout()));
    dataSource.setLoginTimeout(wholeSeconds(settings.connectTimeout()));
    dataSource.setTcpKeepAlive(true);
    dataSource.setLogServerErrorDetail(false);
    return dataSource;
  }

  private static int wholeSeconds(Duration duration) {
    return Math.toIntExact(duration.plusMillis(999).toSeconds());
  }
}
