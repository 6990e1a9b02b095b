package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:app",
        "jdbc:postgresql://localhost/app",
        "jdbc:postgresql://a:5432,b:5433/app?targetServerType=primary&sslmode=require"
      })
  void addressIsKeptAsItIs(String url) {
    assertThat(PostgresUrl.parse(url)).isEqualTo(url);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          postgres://localhost/app | is no PostgreSQL address
          jdbc:mysql://localhost/app | is no PostgreSQL address
          jdbc:postgresql: | is no PostgreSQL address
          jdbc:postgresql://h/d?user=me | use ingest.postgres.user
          jdbc:postgresql://h/d?sslmode=require&socketTimeout=0 | use ingest.postgres.socket-timeout
          jdbc:postgresql://h/d?sslpassword=x | use ingest.postgres.password
          jdbc:postgresql://me@h/d | puts a user before the host
          """)
  void whatASettingOwnsIsRefused(String url, String reason) {
    assertThatThrownBy(() -> PostgresUrl.parse(url)).hasMessageContaining(reason);
  }
}
