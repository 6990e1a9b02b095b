package dev.ingest.app.bench;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database to connect to. Immutable, thread-safe.
 *
 * @param url without user and password
 * @param password empty where none is asked for
 */
public record Database(String url, String user, String password) {
  private static final Pattern URL =
      Pattern.compile("(jdbc:postgresql://[^/?]+)(?:/[^?]*)?(\\?.*)?");

  public Database {
    if (!URL.matcher(url).matches()) {
      throw new IngestException(
          Code.CONFIG_INVALID,
          "the address is not of the form jdbc:postgresql://host:port/database.");
    }
  }

  public DataSource dataSource() {
    return source();
  }

  /** In auto-commit. */
  public Connection connect() throws SQLException {
    return source().getConnection();
  }

  /** Runs statements, in auto-commit. */
  public void execute(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    } catch (SQLException failed) {
      throw BenchFailure.of("a statement of the benchmark", failed);
    }
  }

  /** Makes an empty database on the same server, with a name that nobody else has. */
  Database fresh() {
    String name =
        "ingest_bench_" + HexFormat.of().toHexDigits(new SplittableRandom().nextLong(), 12);
    execute("CREATE DATABASE " + name);
    return new Database(URL.matcher(url).replaceFirst("$1/" + name + "$2"), user, password);
  }

  /** Removes this database; its sessions end. */
  void dropFrom(Database server) {
    server.execute("DROP DATABASE IF EXISTS " + source().getDatabaseName() + " WITH (FORCE)");
  }

  private PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(user);
    source.setPassword(password);
    source.setApplicationName("ingest bench");
    return source;
  }

  @Override
  public String toString() {
    return url;
  }
}
