package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Header;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many statements it takes to find the events that a typed target refuses. */
class UnreadableValuesIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();

  @BeforeEach
  void createSchema() {
    Schema.create(database);
    database.execute("CREATE SCHEMA app");
  }

  @Test
  void oneStatementFindsAllValuesThatTheirTypesCannotRead() {
    database.execute(
        "CREATE TABLE app.t (id text PRIMARY KEY, u uuid, doc jsonb, n integer CHECK (n > 0))");
    TargetMapping mapping =
        StoreDriver.mapping(
            "app.t",
            new LinkedHashMap<>(
                Map.of("id", "key", "u", "header:u", "doc", "payload", "n", "header:n")));
    CountingDataSource counting = new CountingDataSource(database.dataSource());
    StoreDriver driver = new StoreDriver(counting.dataSource(), mapping);
    driver.write(List.of(driver.event("first", "{}")));
    counting.take();

    StoreDriver.Sums unreadable =
        driver.write(
            IntStream.range(0, 200)
                .mapToObj(i -> driver.event("a" + i, i % 4 == 0 ? "{\"\\u0000\":1}" : "{}"))
                .toList());
    int forUnreadable = counting.take();
    StoreDriver.Sums unfit =
        driver.write(
            IntStream.range(0, 200)
                .mapToObj(
                    i ->
                        driver.event(
                            "b" + i,
                            "{}",
                            new Header("n", (i % 100 == 7 ? "0" : "1").getBytes(UTF_8))))
                .toList());
    int forUnfit = counting.take();

    assertThat(unreadable.parked()).hasSize(50);
    assertThat(unreadable.parked()).allMatch(each -> "doc".equals(each.column()));
    // refused, asked, written, transaction id, parked, transaction id
    assertThat(forUnreadable).isLessThanOrEqualTo(6);
    assertThat(unfit.parked()).hasSize(2).allMatch(each -> "23514".equals(each.sqlState()));
    // 2 bad of 200: at most 2 * (ceil(log2 200) + 1) + 1 tries with two statements each
    assertThat(forUnfit).isLessThanOrEqualTo(2 * (2 * (8 + 1) + 1) + 6);
  }
}
