package dev.ingest.app.run;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.app.config.PostgresSettings;
import java.util.Locale;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections to PostgreSQL as the settings say. */
public final class Pools {
  private Pools() {}

  /**
   * A pool that opens connections when they are asked for and never gives up on the server: a
   * database that is away when the process starts is no reason to end it.
   *
   * @param size connections at most
   */
  public static HikariDataSource pool(PostgresSettings settings, int size) {
    return pool(settings, size, single(settings));
  }

  /**
   * The same for those who run the same few statements all day, which then are prepared on the
   * server under names. They must bear a pooler that loses the names.
   */
  static HikariDataSource poolOfWriters(PostgresSettings settings, int size) {
    return pool(settings, size, bounded(settings));
  }

  private static HikariDataSource pool(PostgresSettings settings, int size, DataSource source) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("ingest");
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(settings.connectTimeout().toMillis());
    config.setValidationTimeout(Math.min(5000, settings.connectTimeout().toMillis()));
    return new HikariDataSource(config);
  }

  /** Opens a connection for each request; for single questions. */
  public static DataSource single(PostgresSettings settings) {
    return unnamed(settings, bounded(settings));
  }

  private static PGSimpleDataSource bounded(PostgresSettings settings) {
    PGSimpleDataSource source = unbounded(settings);
    source.setSocketTimeout(Math.toIntExact(settings.socketTimeout().toSeconds()));
    return source;
  }

  /** Prepares no statement under a name: a pooler in transaction mode would lose it. */
  private static DataSource unnamed(PostgresSettings settings, PGSimpleDataSource source) {
    if (!settings.url().toLowerCase(Locale.ROOT).contains("preparethreshold=")) {
      source.setPrepareThreshold(0);
    }
    return source;
  }

  /**
   * Opens a connection for each request, and lets a statement take as long as it needs: an index on
   * a large table does.
   */
  public static DataSource forMigrations(PostgresSettings settings) {
    return unnamed(settings, unbounded(settings));
  }

  private static PGSimpleDataSource unbounded(PostgresSettings settings) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(settings.url());
    source.setUser(settings.user());
    if (settings.password().isPresent()) {
      source.setPassword(settings.password().reveal());
    }
    source.setApplicationName(settings.applicationName());
    source.setConnectTimeout(Math.toIntExact(settings.connectTimeout().toSeconds()));
    source.setTcpKeepAlive(true);
    boolean several = source.getServerNames().length > 1;
    if (several && !settings.url().toLowerCase(Locale.ROOT).contains("targetservertype=")) {
      // Of several hosts only the one that takes writes will do, also after a failover.
      source.setTargetServerType("primary");
    }
    return source;
  }
}
