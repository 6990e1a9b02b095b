package dev.ingest.app.faults;

import static org.awaitility.Awaitility.await;

import dev.ingest.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Debian's pgbouncer in transaction mode in front of a database, with so few connections to the
 * server that clients get another one from transaction to transaction. Fails where it is not
 * installed. Ends with the test.
 */
final class PgBouncer implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

  private final Process process;
  private final Path directory;
  private final TestDatabase database;
  private final int port;

  private PgBouncer(Process process, Path directory, TestDatabase database, int port) {
    this.process = process;
    this.directory = directory;
    this.database = database;
    this.port = port;
  }

  static PgBouncer before(TestDatabase database) throws IOException {
    if (!Files.isExecutable(PROGRAM)) {
      throw new IOException("No " + PROGRAM + ": apt-get install pgbouncer");
    }
    Path directory = Files.createTempDirectory("ingest-pgbouncer-");
    int port = freePort();
    Path settings = Files.writeString(directory.resolve("pgbouncer.ini"), settings(database, port));
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), settings.toString()));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody")); // it refuses to run as root
      directory.toFile().setExecutable(true, false);
      settings.toFile().setReadable(true, false);
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    PgBouncer started = new PgBouncer(process, directory, database, port);
    started.awaitReady();
    return started;
  }

  private static String settings(TestDatabase database, int port) {
    return """
        [databases]
        * = host=127.0.0.1 port=%d user=%s
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        pool_mode = transaction
        default_pool_size = 3
        server_round_robin = 1
        ignore_startup_parameters = extra_float_digits
        """
        .formatted(database.server().port(), database.user(), port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() {
    PGSimpleDataSource source = database.dataSource();
    source.setPortNumbers(new int[] {port});
    source.setPrepareThreshold(0);
    await("pgbouncer, see " + directory)
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(
            () -> {
              source.getConnection().close();
              return true;
            });
  }

  /** JDBC address of the database by way of the pooler. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database.name();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    process.onExit().join();
    for (String name : List.of("pgbouncer.ini", "log")) {
      Files.delete(directory.resolve(name));
    }
    Files.delete(directory);
  }
}
