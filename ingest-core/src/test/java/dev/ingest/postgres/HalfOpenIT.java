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
import dev.ingest.plan.RejectedEvent;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private final HikariDataSource pool = pool(network);
  private final PostgresEventStore store = new PostgresEventStore(pool, settings(SOCKET_TIMEOUT));
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

  /** The server gets none of it, or the client hears nothing of it; in between all is open. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "to_regclass",
        "SET TRANSACTION",
        "set_config('idle_in_transaction_session_timeout'",
        "pg_advisory_xact_lock",
        "INSERT INTO ingest.event",
        "INSERT INTO ingest.parked",
        "pg_xact_status"
      })
  void anyStatementEndsWhoseRequestOrReplyIsLost(String sql) {
    List<Consumer<PostgresProxy>> ways =
        List.of(
            way -> way.beforeNext(sql, ProxyLink::freeze),
            way -> way.afterNext(sql, ProxyLink::freeze));

    List<CompletableFuture<StoreFault>> faults =
        ways.stream()
            .map(way -> CompletableFuture.supplyAsync(() -> faultOn(way)))
            .map(fault -> fault.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .toList();

    assertThat(faults)
        .extracting(fault -> fault.join().kind())
        .containsExactly(FaultKind.CONNECTION, FaultKind.CONNECTION);
  }

  /** What a store of its own says of this fault; it then works again. */
  private StoreFault faultOn(Consumer<PostgresProxy> way) {
    try (PostgresProxy black = PostgresProxy.to(database.server());
        HikariDataSource own = pool(black)) {
      PostgresEventStore met = new PostgresEventStore(own, settings(Duration.ofSeconds(1)));
      way.accept(black);
      Throwable thrown = catchThrowable(() -> sendEveryStatement(met));
      assertThat(black.isArmed()).as("met none: %s", thrown).isFalse();
      black.cut();
      black.thaw();

      sendEveryStatement(met);
      assertThat(thrown).isInstanceOf(StoreFault.class);
      return (StoreFault) thrown;
    }
  }

  /** All but COMMIT, whose outcome is not known when it is lost. */
  private static void sendEveryStatement(PostgresEventStore to) {
    EventLine own = EventLine.on("t-" + UUID.randomUUID(), 0);
    List<Event> events = own.keys(UUID.randomUUID().toString(), UUID.randomUUID().toString());
    Chunk chunk = Batch.of(events, LockScheme.perKey(), KeyReader.recordKey(), to).head();
    assertThat(to.write(chunk.parking(List.of(RejectedEvent.unreadable(events.get(0), "no")))))
        .isInstanceOf(WriteOutcome.Applied.class);
    assertThat(to.statusOf("3")).isEqualTo(TransactionStatus.UNKNOWN);
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

  private static StoreSettings settings(Duration socket) {
    Duration half = socket.dividedBy(2);
    return new StoreSettings(
        TargetMapping.event(),
        new Timeouts(half.dividedBy(2), half, half, socket),
        OptionalInt.empty(),
        1,
        OptionalInt.empty());
  }

  private HikariDataSource pool(TcpProxy through) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource(through));
    config.setMaximumPoolSize(1);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(5_000);
    return new HikariDataSource(config);
  }
}
