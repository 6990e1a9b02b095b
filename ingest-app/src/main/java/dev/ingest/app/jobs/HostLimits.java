package dev.ingest.app.jobs;

import dev.ingest.app.config.JobSettings;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/**
 * How many requests may be on their way to a host at once, whichever jobs they are for; of several
 * limits for a host the smallest. Thread-safe.
 */
final class HostLimits {
  private final Map<String, Semaphore> permits = new HashMap<>();

  HostLimits(List<JobSettings.Call> calls) {
    Map<String, Integer> limits = new HashMap<>();
    calls.forEach(call -> limits.merge(host(call.url()), call.perHost(), Math::min));
    limits.forEach((host, limit) -> permits.put(host, new Semaphore(limit, true)));
  }

  /** To be acquired for a request to this address. */
  Semaphore of(URI url) {
    return Objects.requireNonNull(permits.get(host(url)), "host of no job");
  }

  private static String host(URI url) {
    return url.getHost().toLowerCase(Locale.ROOT) + ":" + url.getPort();
  }
}
