package dev.ingest.app.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.queue.JobQueue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final JobMeters meters = new JobMeters(registry);

  private double gauge(String name, String... tags) {
    return registry.get(name).tags("queue", "mail").tags(tags).gauge().value();
  }

  @Test
  void depthAndAgeAreWhatTheTableHeldLast() {
    meters.depth(
        List.of(
            new JobQueue.Depth("mail", "waiting", 7, 41.6),
            new JobQueue.Depth("mail", "running", 3, 9.0),
            new JobQueue.Depth("mail", "failed", 2, 1000.0)));

    assertThat(gauge("ingest.jobs.depth", "status", "waiting")).isEqualTo(7);
    assertThat(gauge("ingest.jobs.depth", "status", "running")).isEqualTo(3);
    assertThat(gauge("ingest.jobs.depth", "status", "failed")).isEqualTo(2);
    assertThat(gauge("ingest.jobs.oldest")).as("of those that wait").isEqualTo(42);

    meters.depth(List.of());

    assertThat(gauge("ingest.jobs.depth", "status", "waiting")).isZero();
    assertThat(gauge("ingest.jobs.oldest")).isZero();
  }

  @Test
  void claimsOutcomesAndLeasesAreCounted() {
    meters.claimed("mail", 20);
    meters.claimed("mail", 4);
    meters.completed("mail", 23);
    meters.leaseExpired(new JobQueue.Reaped("mail", false));
    meters.leaseLost("mail", 1);

    var claims = registry.get("ingest.jobs.claim").tags("queue", "mail").summary();
    assertThat(claims.count()).isEqualTo(2);
    assertThat(claims.max()).isEqualTo(20);
    assertThat(counter("ingest.jobs.attempts", "outcome", "done")).isEqualTo(23);
    assertThat(counter("ingest.jobs.lease.expired")).isEqualTo(1);
    assertThat(counter("ingest.jobs.lease.lost")).isEqualTo(1);
  }

  private double counter(String name, String... tags) {
    return registry.get(name).tags("queue", "mail").tags(tags).counter().count();
  }
}
