package dev.ingest.app.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.testkit.PostgresServer;
import dev.ingest.testkit.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A table and its indexes on a disk of 64 MB. One thread; the table must not be in use when it is
 * made and closed.
 */
final class SmallDisk implements FullDisk {
  private final TestDatabase database;
  private final String table;
  private final Path mount;
  private final Path ballast;

  private SmallDisk(TestDatabase database, String table, Path mount) {
    this.database = database;
    this.table = table;
    this.mount = mount;
    this.ballast = mount.resolve("ballast");
  }

  /** Mounts a disk; empty where this process may not. */
  static Optional<Path> mount() throws IOException, InterruptedException {
    Path mount = Files.createTempDirectory("ingest-small-disk-");
    try {
      shell("mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "ingest-test", mount.toString());
      return Optional.of(mount);
    } catch (IOException refused) {
      System.out.println(refused.getMessage());
      Files.delete(mount);
      return Optional.empty();
    }
  }

  /** Moves the table to the disk that is mounted there. */
  static SmallDisk under(PostgresServer server, TestDatabase database, String table, Path mount) {
    String space = mount.resolve("space").toString();
    if (!new File(space).mkdir()) {
      throw new IllegalStateException("No directory " + space);
    }
    server.maintenance().execute("CREATE TABLESPACE small LOCATION '" + space + "'");
    SmallDisk disk = new SmallDisk(database, table, mount);
    disk.moveTo("small");
    return disk;
  }

  private void moveTo(String tablespace) {
    database.execute("ALTER TABLE " + table + " SET TABLESPACE " + tablespace);
    database
        .column(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = ?::regclass", table)
        .forEach(
            index -> database.execute("ALTER INDEX " + index + " SET TABLESPACE " + tablespace));
  }

  /** Leaves not a byte. */
  @Override
  public void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] block = new byte[4096];
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      if (mount.toFile().getUsableSpace() > 0) {
        throw full;
      }
    }
  }

  @Override
  public void free() throws IOException {
    Files.delete(ballast);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    Files.deleteIfExists(ballast);
    moveTo("pg_default");
    database.execute("DROP TABLESPACE small");
    shell("umount", mount.toString());
    Files.delete(mount);
  }

  private static void shell(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(List.of(command) + " failed: " + said);
    }
  }
}
