package dev.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.ingest.event.Event;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.pipeline.WriteOutcome;
import dev.ingest.plan.Batch;
import dev.ingest.plan.Chunk;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.KeyReader;
import dev.ingest.plan.LockScheme;
import dev.ingest.testkit.EventLine;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.PostgresProxy;
import dev.ingest.testkit.ProxyLink;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TcpProxy;
import dev.ingest.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that is still connected and neither takes nor sends a byte. */
class HalfOpenIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(2);

  /** More than the bound, and far less than TCP would try. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TestDatabase database = POSTGRES.database();
  private final PostgresProxy proxy = PostgresProxy.to(database.server());

  /** Knows no messages, so it takes in no more than its buffers hold. */
  private final TcpProxy network = TcpProxy.to(proxy.port());

  private final HikariDataSource pool = pool();
  private final PostgresEventStore store =
      new PostgresEventStore(
          pool,
          new StoreSettings(
              TargetMapping.event(),
              new Timeouts(
                  Duration.ofMillis(500),
                  Duration.ofSeconds(1),
                  Duration.ofSeconds(1),
                  SOCKET_TIMEOUT),
              OptionalInt.empty(),
              1,
              OptionalInt.empty()));
  private final EventLine line = EventLine.on("t", 0);

  @BeforeAll
  static void createSchema() {
    Schema.create(POSTGRES.database());
  }

  @BeforeEach
  void connect() {
    database.execute("TRUNCATE ingest.event");
    assertThat(store.write(chunk(line.keys("first")))).isInstanceOf(WriteOutcome.Applied.class);
  }

  @AfterEach
  void close() {
    network.close();
    proxy.close();
    pool.close();
  }

  @Test
  void statementWithoutAReplyEnds() {
    Chunk chunk = chunk(line.keys("a"));
    network.freeze();

    assertThat(faultOf(chunk).kind()).isEqualTo(FaultKind.CONNECTION);
    assertWritableAfterwards();
  }

  @Test
  void statementThatTheServerDoesNotTakeInEnds() {
    Chunk chunk = chunk(large());
    network.freeze();

    assertThat(faultOf(chunk).kind()).isEqualTo(FaultKind.CONNECTION);
    assertWritableAfterwards();
  }

  @Test
  void commitWithoutAReplyEndsAndItsOutcomeIsFound() {
    Chunk lost = chunk(line.keys("a"));
    proxy.beforeNextCommit(ProxyLink::freeze);
    WriteOutcome.Unknown neverCommitted = (WriteOutcome.Unknown) write(lost).join();
    Chunk done = chunk(line.keys("b"));
    proxy.afterNextCommit(ProxyLink::freeze);
    WriteOutcome.Unknown committed = (WriteOutcome.Unknown) write(done).join();

    assertThat(store.statusOf(neverCommitted.transactionId()))
        .isIn(TransactionStatus.IN_PROGRESS, TransactionStatus.ABORTED);
    assertThat(store.statusOf(committed.transactionId())).isEqualTo(TransactionStatus.COMMITTED);
  }

  private List<Event> large() {
    String value = "{\"text\":\"" + "x".repeat(4 << 20) + "\"}";
    return IntStream.range(0, 8).mapToObj(i -> line.event("large-" + i, value)).toList();
  }

  private Chunk chunk(List<Event> events) {
    return Batch.of(events, LockScheme.perKey(), KeyReader.recordKey(), store).head();
  }

  private StoreFault faultOf(Chunk chunk) {
    Throwable thrown = catchThrowable(() -> write(chunk).join());
    assertThat(thrown).hasCauseInstanceOf(StoreFault.class);
    return (StoreFault) thrown.getCause();
  }

  private CompletableFuture<WriteOutcome> write(Chunk chunk) {
    return CompletableFuture.supplyAsync(() -> store.write(chunk))
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private void assertWritableAfterwards() {
    network.cut();
    network.thaw();
    assertThat(store.write(chunk(line.keys("afterwards"))))
        .isInstanceOf(WriteOutcome.Applied.class);
    assertThat(database.count("SELECT count(*) FROM ingest.event")).isEqualTo(2);
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource(network));
    config.setMaximumPoolSize(1);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(5_000);
    return new HikariDataSource(config);
  }
}
