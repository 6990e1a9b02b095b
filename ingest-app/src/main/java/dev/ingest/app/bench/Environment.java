package dev.ingest.app.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;

/** What numbers depend on beside the program: machine, versions, settings of the server. */
public final class Environment {
  /** Settings that decide what a commit costs and how much a transaction may lock. */
  private static final String SERVER =
      """
      SELECT name, current_setting(name) FROM pg_settings
      WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_level',
        'wal_compression', 'shared_buffers', 'max_wal_size', 'checkpoint_timeout', 'commit_delay',
        'max_locks_per_transaction', 'max_connections', 'autovacuum', 'wal_sync_method',
        'synchronous_standby_names')
      ORDER BY name <> 'server_version', name
      """;

  private Environment() {}

  /** Reads it all, now: the load average tells whether the machine is quiet. */
  public static Map<String, String> of(BenchServers servers) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", java.time.Instant.now().toString());
    facts.put("cpu", cpu());
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    facts.put(
        "load average before",
        String.format(
            Locale.ROOT,
            "%.2f",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("ingest", program());
    facts.put("postgresql driver", org.postgresql.util.DriverInfo.DRIVER_VERSION);
    facts.put("kafka clients", AppInfoParser.getVersion());
    facts.put("servers", servers.kinds());
    server(servers.database(), facts);
    return facts;
  }

  private static void server(Database database, Map<String, String> facts) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SERVER)) {
      while (row.next()) {
        facts.put("postgresql " + row.getString(1), row.getString(2));
      }
    } catch (SQLException failed) {
      throw BenchFailure.of("reading the server's settings", failed);
    }
  }

  private static String cpu() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(() -> System.getProperty("os.arch"));
    } catch (IOException noLinux) {
      return System.getProperty("os.arch");
    }
  }

  private static String memory() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return (system.getTotalMemorySize() >> 20) + " MiB";
  }

  /** The archive's version, and the commit where it runs from a source tree. */
  private static String program() {
    String version = Environment.class.getPackage().getImplementationVersion();
    return version == null ? "commit " + commit() : version;
  }

  private static String commit() {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
      return git.waitFor() == 0 ? answer : "unknown";
    } catch (IOException noGit) {
      return "unknown";
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
