package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Batch;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.PostgresProxy;
import dev.ingest.testkit.ProxyLink;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The network breaks after the first half of a COMMIT: its Parse has arrived, its Sync never will.
 * The server then waits for the rest, in a transaction that holds its locks. That wait is no idle
 * one, and its statement timeout is ignored while a message is being read.
 */
class HalfSentCommitIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final Timeouts TIMEOUTS =
      new Timeouts(
          Duration.ofMillis(300),
          Duration.ofMillis(500),
          Duration.ofMillis(500),
          Duration.ofSeconds(1));

  @Test
  void locksAreFreeAgainWithinTheTransactionTimeout() {
    TestDatabase database = POSTGRES.database();
    Schema.create(database);
    List<Event> events = EventLine.on("orders", 0).keys("a", "b");
    try (PostgresProxy proxy = PostgresProxy.to(database.server())) {
      PostgresEventStore broken = store(database.dataSource(proxy));
      broken.budget();
      proxy.beforeNextCommit(ProxyLink::freeze);
      CompletableFuture<WriteOutcome> outcome =
          CompletableFuture.supplyAsync(() -> write(broken, events));
      await("the COMMIT").until(() -> !proxy.isArmed());
      PostgresEventStore other = store(database.dataSource());

      assertThatThrownBy(() -> write(other, events)).isInstanceOf(StoreFault.class);
      await("the locks")
          .atMost(Duration.ofSeconds(5))
          .ignoreExceptionsInstanceOf(StoreFault.class)
          .untilAsserted(
              () ->
                  assertThat(write(other, events))
                      .isInstanceOfSatisfying(
                          WriteOutcome.Applied.class,
                          applied -> assertThat(applied.inserted()).isEqualTo(2)));
      assertThat(outcome.join()).isInstanceOf(WriteOutcome.Unknown.class);
    }
  }

  private static WriteOutcome write(PostgresEventStore store, List<Event> events) {
    return store.write(Batch.of(events, LockScheme.perKey(), KeyReader.recordKey(), store).head());
  }

  private static PostgresEventStore store(DataSource database) {
    return new PostgresEventStore(
        database,
        new StoreSettings(
            TargetMapping.event(), TIMEOUTS, OptionalInt.empty(), 1, OptionalInt.empty()));
  }
}
