package dev.ingest.app.faults;

import dev.ingest.testkit.PostgresServer;
import dev.ingest.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A disk under one table that can be filled. One thread. */
interface FullDisk extends AutoCloseable {
  /**
   * A small disk of its own; where this process may not mount one for the server, a server that
   * says it is full.
   */
  static FullDisk under(PostgresServer server, TestDatabase database, String table)
      throws IOException, InterruptedException {
    Optional<Path> mounted = server.sharesFiles() ? SmallDisk.mount() : Optional.empty();
    return mounted
        .<FullDisk>map(mount -> SmallDisk.under(server, database, table, mount))
        .orElseGet(() -> new SaidFull(database, table));
  }

  /** From now on no page is left. */
  void fill() throws IOException;

  void free() throws IOException;

  @Override
  void close() throws IOException, InterruptedException;

  /** A trigger that raises what the server says of a full disk. */
  record SaidFull(TestDatabase database, String table) implements FullDisk {
    public SaidFull {
      System.out.println("No disk to mount: it is only said to be full.");
    }

    @Override
    public void fill() {
      database.execute(
          """
          CREATE FUNCTION ingest.full() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
          CREATE TRIGGER disk BEFORE INSERT ON %s EXECUTE FUNCTION ingest.full();
          """
              .formatted(table));
    }

    @Override
    public void free() {
      database.execute("DROP FUNCTION ingest.full() CASCADE");
    }

    @Override
    public void close() {}
  }
}
