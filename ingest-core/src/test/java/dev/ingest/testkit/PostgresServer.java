package dev.ingest.testkit;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server for tests. {@link #shared()} is the one of this JVM: the server at {@code
 * INGEST_TEST_POSTGRES_URL} if that is set, else one of our own, embedded or in a container. {@link
 * #dedicated} servers belong to one test and can be killed. Thread-safe but for start, stop and
 * kill9.
 */
public final class PostgresServer implements AutoCloseable {
  private static final String URL_VARIABLE = "INGEST_TEST_POSTGRES_URL";
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final PGSimpleDataSource template;
  private final @Nullable PostgresInstance process;
  private final boolean dedicated;

  private PostgresServer(
      PGSimpleDataSource template, @Nullable PostgresInstance process, boolean dedicated) {
    this.template = template;
    this.process = process;
    this.dedicated = dedicated;
  }

  /**
   * The server of this JVM, started by the first call. Fails when it cannot be had; tests are never
   * skipped for that.
   */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /**
   * A started server of its own, with these settings over the defaults of the kit. Close it at the
   * end of the test.
   */
  public static PostgresServer dedicated(Map<String, String> settings) {
    return started(settings, true);
  }

  /** A new empty UTF-8 database. */
  public TestDatabase createDatabase() {
    return createDatabase("UTF8");
  }

  /** A new empty database in a server encoding, for instance {@code LATIN1}. */
  public TestDatabase createDatabase(String encoding) {
    String name = "test_" + ProcessHandle.current().pid() + "_" + NAMES.incrementAndGet();
    String locale =
        encoding.equals("UTF8") ? "" : " LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'";
    maintenance()
        .execute(
            "CREATE DATABASE " + name + " ENCODING '" + encoding + "' TEMPLATE template0" + locale);
    return new TestDatabase(this, name);
  }

  /** Removes a database and throws its sessions out. */
  public void dropDatabase(TestDatabase database) {
    maintenance().execute("DROP DATABASE IF EXISTS " + database.name() + " WITH (FORCE)");
  }

  /**
   * A new user without rights of its own, who must give this password, and its name. Our own
   * servers trust everyone else.
   */
  public String createUser(String password) {
    String user = "user_" + ProcessHandle.current().pid() + "_" + NAMES.incrementAndGet();
    TestDatabase maintenance = maintenance();
    if (maintenance.count(
            "SELECT count(*) FROM pg_roles WHERE rolname = ?", PostgresInstance.PASSWORD_ROLE)
        == 0) {
      maintenance.execute("CREATE ROLE " + PostgresInstance.PASSWORD_ROLE);
    }
    maintenance.execute(
        "CREATE ROLE "
            + user
            + " LOGIN PASSWORD '"
            + password
            + "' IN ROLE "
            + PostgresInstance.PASSWORD_ROLE);
    return user;
  }

  /** The database to connect to for work on the whole server. */
  public TestDatabase maintenance() {
    return new TestDatabase(this, String.valueOf(template.getDatabaseName()));
  }

  /** Where the server listens, always on this machine for one of our own. */
  public int port() {
    return template.getPortNumbers()[0];
  }

  public String host() {
    return template.getServerNames()[0];
  }

  public String user() {
    return String.valueOf(template.getUser());
  }

  /** Empty for a server of our own, which trusts everyone on the loopback. */
  public String password() {
    return Optional.ofNullable(template.getPassword()).orElse("");
  }

  /** Whether it sees the files of this machine: a server in a container or elsewhere does not. */
  public boolean sharesFiles() {
    return process instanceof PostgresProcess;
  }

  /** Process id of the postmaster. Servers of our own only. */
  public long pid() {
    return own().pid();
  }

  /** What the server logged so far. Servers of our own only. */
  public String log() {
    return own().log();
  }

  /**
   * Starts a stopped or killed server again on the same port and data directory; returns when it
   * accepts connections.
   */
  public void start() {
    own().start();
  }

  /** Orderly end: running transactions are rolled back, sessions cut. */
  public void stop() {
    own().stop();
  }

  /** SIGKILL to the server and all its sessions. Start it again to see crash recovery. */
  public void kill9() {
    own().kill9();
  }

  /** Stops a dedicated server if it runs. The shared one lives as long as the JVM. */
  @Override
  public void close() {
    if (dedicated && process != null && process.isRunning()) {
      process.stop();
    }
  }

  PGSimpleDataSource dataSource(String database) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setServerNames(template.getServerNames());
    dataSource.setPortNumbers(template.getPortNumbers());
    dataSource.setUser(template.getUser());
    dataSource.setPassword(template.getPassword());
    dataSource.setDatabaseName(database);
    return dataSource;
  }

  private PostgresInstance own() {
    if (process == null) {
      throw new IllegalStateException(
          "This server is not ours: "
              + URL_VARIABLE
              + " is set. Use PostgresServer.dedicated(settings).");
    }
    return process;
  }

  private static PostgresServer started(Map<String, String> settings, boolean dedicated) {
    PostgresInstance process = PostgresInstance.create(settings);
    process.start();
    return new PostgresServer(dataSource(process.port()), process, dedicated);
  }

  private static PGSimpleDataSource dataSource(int port) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setServerNames(new String[] {"127.0.0.1"});
    dataSource.setPortNumbers(new int[] {port});
    dataSource.setUser("postgres");
    dataSource.setDatabaseName("postgres");
    return dataSource;
  }

  private static PostgresServer external(String url) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(url);
    return new PostgresServer(dataSource, null, false);
  }

  private static final class Shared {
    static final PostgresServer SERVER =
        Optional.ofNullable(System.getenv(URL_VARIABLE))
            .map(PostgresServer::external)
            .orElseGet(() -> started(Map.of(), false));
  }
}
