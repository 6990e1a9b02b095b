package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class WritableCheckIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Test
  void aServerThatTakesWritesIsNoProblem(TestDatabase database) {
    assertThat(new WritableCheck(database.dataSource()).get()).isEmpty();
  }

  @Test
  void aSessionThatMayNotWriteIsTold(TestDatabase database) {
    PGSimpleDataSource readOnly = database.dataSource();
    readOnly.setOptions("-c default_transaction_read_only=on");

    assertThat(new WritableCheck(readOnly).get()).contains("the server is read-only");
  }

  @Test
  void aServerThatIsAwayIsToldWithoutAnException(TestDatabase database) {
    PGSimpleDataSource away = database.dataSource();
    away.setPortNumbers(new int[] {1});

    assertThat(new WritableCheck(away).get().orElseThrow()).startsWith("sqlstate=08001 ");
  }

  @Test
  void aRefusedLoginShowsNoPassword(TestDatabase database) {
    PGSimpleDataSource refused = database.dataSource();
    refused.setUser("nobody");
    refused.setPassword("hunter2");

    assertThat(new WritableCheck(refused).get().orElseThrow())
        .startsWith("sqlstate=28")
        .doesNotContain("hunter2");
  }
}
