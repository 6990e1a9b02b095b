package dev.ingest.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.TestDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StartupIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  /** Whether the process could be built, and that somebody waits to hear it. */
  private static final class Built extends CompletableFuture<Boolean> {
    private final CountDownLatch asked = new CountDownLatch(1);

    @Override
    public Boolean join() {
      asked.countDown();
      return super.join();
    }
  }

  @Test
  void theSchemaIsMadeOnceTheProcessIsBuiltAndNotWhereItCouldNotBe(TestDatabase database)
      throws Exception {
    Built refused = new Built();
    CompletableFuture<Boolean> ready = start(database, refused);

    assertThat(refused.asked.await(30, TimeUnit.SECONDS)).as("waits for the process").isTrue();
    assertThat(hasSchema(database)).as("before").isFalse();
    refused.complete(false);
    assertThat(ready.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(hasSchema(database)).as("where a port was taken, say").isFalse();

    Built built = new Built();
    built.complete(true);
    assertThat(start(database, built).get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(hasSchema(database)).isTrue();
  }

  /** A pattern may match topics that are yet to come, so no broker is asked. */
  private static CompletableFuture<Boolean> start(
      TestDatabase database, CompletableFuture<Boolean> built) {
    return new Startup(
            Configs.with(
                "ingest.source.topics=no-such-.*",
                "ingest.postgres.url=" + database.url(),
                "ingest.postgres.user=" + database.user(),
                "ingest.postgres.password=any"),
            new CountDownLatch(1))
        .runBeside(true, built);
  }

  private static boolean hasSchema(TestDatabase database) {
    return database.count("SELECT count(*) FROM pg_namespace WHERE nspname = 'ingest'") == 1;
  }
}
