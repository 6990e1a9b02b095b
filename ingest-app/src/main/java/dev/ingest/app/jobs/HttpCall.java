package dev.ingest.app.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.config.JobSettings;
import dev.ingest.queue.Job;
import dev.ingest.queue.JobFailedException;
import dev.ingest.queue.JobHandler;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends events to an HTTP endpoint with POST: the value as the body, all else in headers. Redirects
 * are not followed and nothing of an answer is kept but its status. Thread-safe.
 */
final class HttpCall implements JobHandler {
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final HttpClient client;
  private final JobSettings.Call call;
  private final @Nullable Signature signature;
  private final Semaphore permits;
  private final InstantSource clock;

  HttpCall(HttpClient client, JobSettings.Call call, HostLimits limits, InstantSource clock) {
    this.client = client;
    this.call = call;
    this.signature = call.secret().isPresent() ? new Signature(call.secret()) : null;
    this.permits = limits.of(call.url());
    this.clock = clock;
  }

  @Override
  public void handle(Job job) throws Exception {
    permits.acquire();
    try {
      // Signed once it may go, so that the timestamp is not that of the wait before.
      judge(send(request(job)));
    } finally {
      permits.release();
    }
  }

  private HttpRequest request(Job job) {
    byte[] body = job.payload();
    long timestamp = clock.instant().getEpochSecond();
    EventJob event = EventJob.in(job);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(call.url())
            .timeout(call.timeout())
            .header("Content-Type", call.contentType())
            .header("Ingest-Job-Id", Long.toString(job.id()))
            .header("Ingest-Attempt", Integer.toString(job.attempt()))
            .header("Ingest-Key", URLEncoder.encode(event.key(), UTF_8))
            .header("Ingest-Source", URLEncoder.encode(event.source(), UTF_8))
            .header("Ingest-Timestamp", Long.toString(timestamp))
            .POST(BodyPublishers.ofByteArray(body));
    if (event.value() == null) {
      request.header("Ingest-Tombstone", "true");
    }
    if (signature != null) {
      request.header("Ingest-Signature", signature.of(timestamp, body));
    }
    return request.build();
  }

  /** The request's own timeout ends with the headers of the answer; this one with its last byte. */
  private HttpResponse<Void> send(HttpRequest request) throws Exception {
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, BodyHandlers.discarding());
    try {
      return answer.get(call.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new IOException("no answer in " + call.timeout().toMillis() + " ms");
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      throw cause instanceof IOException io ? io : failed;
    } finally {
      answer.cancel(true);
    }
  }

  private void judge(HttpResponse<Void> answer) throws JobFailedException {
    int status = answer.statusCode();
    if (status >= 200 && status < 300) {
      return;
    }
    String message = "status=" + status;
    throw isWorthRetrying(status)
        ? JobFailedException.retryAfter(message, retryAfter(answer))
        : JobFailedException.forGood(message);
  }

  /** What another time may go well: timeouts, too many requests, and faults of the server. */
  private static boolean isWorthRetrying(int status) {
    return status >= 500 || status == 408 || status == 425 || status == 429;
  }

  /** Seconds as the server asks for; a date is passed over. */
  private static Duration retryAfter(HttpResponse<Void> answer) {
    long seconds =
        answer
            .headers()
            .firstValue("Retry-After")
            .filter(value -> value.matches("[0-9]{1,9}"))
            .map(Long::parseLong)
            .orElse(0L);
    return Duration.ofSeconds(Math.min(seconds, LONGEST_WAIT.toSeconds()));
  }
}
