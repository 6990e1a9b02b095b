package dev.ingest.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PostgreSQL in a container. */
final class PostgresContainer implements PostgresInstance {
  private static final Logger log = LoggerFactory.getLogger(PostgresContainer.class);
  private static final String RULES = "/etc/ingest-test-hba.conf";

  private final int port = FreePort.find();
  private final LocalContainer container;

  PostgresContainer(String image, Map<String, String> settings) {
    List<String> command = new ArrayList<>(List.of("postgres"));
    PostgresInstance.settings(settings)
        .forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    command.addAll(List.of("-c", "hba_file=" + RULES));
    container =
        new LocalContainer(
            image,
            port,
            5432,
            Map.of(
                "POSTGRES_HOST_AUTH_METHOD",
                "trust",
                "POSTGRES_INITDB_ARGS",
                "--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8"),
            command.toArray(String[]::new));
    // Its own first start, which makes the database, comes over the socket.
    container.add(RULES, "local all all trust\n" + PostgresInstance.hostRules("0.0.0.0/0"));
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void start() {
    long begin = System.nanoTime();
    container.start();
    Awaitility.await("PostgreSQL on port " + port)
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .until(this::accepts);
    log.info(
        "PostgreSQL started in a container: port={} took={}ms",
        port,
        (System.nanoTime() - begin) / 1_000_000);
  }

  private boolean accepts() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setServerNames(new String[] {"127.0.0.1"});
    dataSource.setPortNumbers(new int[] {port});
    dataSource.setUser("postgres");
    dataSource.setConnectTimeout(2);
    dataSource.setSocketTimeout(5);
    try (Connection connection = dataSource.getConnection()) {
      return connection.isValid(2);
    } catch (SQLException notYet) {
      return false;
    }
  }

  @Override
  public void stop() {
    container.stop();
  }

  @Override
  public void kill9() {
    container.kill9();
  }

  @Override
  public boolean isRunning() {
    return container.isRunning();
  }

  @Override
  public long pid() {
    return container.pid();
  }

  @Override
  public String log() {
    return container.log();
  }
}
