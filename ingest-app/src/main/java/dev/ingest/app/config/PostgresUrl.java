package dev.ingest.app.config;

import java.util.Locale;
import java.util.Map;

/**
 * Checks of the JDBC address: parameters that a setting of ours owns, or that are secret, don't
 * belong in it.
 */
final class PostgresUrl {
  private static final Map<String, String> OWNED =
      Map.of(
          "user", "ingest.postgres.user",
          "applicationname", "ingest.postgres.application-name",
          "connecttimeout", "ingest.postgres.connect-timeout",
          "logintimeout", "ingest.postgres.connect-timeout",
          "sockettimeout", "ingest.postgres.socket-timeout");

  private PostgresUrl() {}

  static String parse(String text) {
    String address = text.split("\\?", 2)[0];
    if (address.contains("@")) {
      throw InvalidValue.confidential(
          "puts a user before the host; use ingest.postgres.user and ingest.postgres.password");
    }
    for (String parameter : text.substring(address.length()).split("[?&]", -1)) {
      checkParameter(parameter.split("=", 2)[0]);
    }
    if (!address.matches("jdbc:postgresql:\\S+")) {
      throw InvalidValue.of("is no PostgreSQL address; use jdbc:postgresql://host:5432/database");
    }
    return text;
  }

  private static void checkParameter(String name) {
    if (SecretNames.matches(name)) {
      throw InvalidValue.confidential(
          "holds the parameter "
              + name
              + "; use ingest.postgres.password or ingest.postgres.password-file");
    }
    String owner = OWNED.get(name.toLowerCase(Locale.ROOT));
    if (owner != null) {
      throw InvalidValue.of("holds the parameter " + name + "; use " + owner);
    }
  }
}
