package dev.ingest.testkit;

import java.util.Map;
import java.util.TreeMap;

/**
 * One PostgreSQL server of our own, embedded or in a container, on a port and with data that it
 * keeps over restarts. One thread at a time.
 */
interface PostgresInstance {
  /** Its members must log in with their password; everyone else is trusted. */
  String PASSWORD_ROLE = "must_give_password";

  /** A server that is not started yet, where {@link ServerImages} says. */
  static PostgresInstance create(Map<String, String> settings) {
    return ServerImages.postgres()
        .<PostgresInstance>map(image -> new PostgresContainer(image, settings))
        .orElseGet(() -> new PostgresProcess(settings));
  }

  /** On the loopback. */
  int port();

  /** Returns when the server accepts connections. */
  void start();

  /** Ends the server the orderly way: open transactions are rolled back, sessions cut. */
  void stop();

  /** SIGKILL to the postmaster and all its children, as a power cut would. */
  void kill9();

  boolean isRunning();

  /** Process id of the postmaster. */
  long pid();

  /** What the server logged so far. */
  String log();

  /**
   * The defaults of the kit with these over them. A test of durability needs fsync and
   * synchronous_commit. The time zone is odd on purpose.
   */
  static Map<String, String> settings(Map<String, String> over) {
    Map<String, String> all = new TreeMap<>();
    all.put("fsync", "on");
    all.put("synchronous_commit", "on");
    all.put("max_locks_per_transaction", "256");
    all.put("max_connections", "100");
    all.put("timezone", "Pacific/Chatham");
    all.put("lc_messages", "C");
    all.put("log_lock_waits", "on");
    all.put("log_line_prefix", "%m [%p] %d ");
    all.putAll(over);
    return all;
  }

  /** {@code pg_hba.conf} for clients from these addresses. */
  static String hostRules(String addresses) {
    return """
    host all +%s %s scram-sha-256
    host all all %s trust
    """
        .formatted(PASSWORD_ROLE, addresses, addresses);
  }
}
