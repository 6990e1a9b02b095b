package dev.ingest.app.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer, up to so many bytes; a longer one fails. Called by the client alone. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final int maxBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  BoundedBody(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      byte[] part = new byte[buffer.remaining()];
      buffer.get(part);
      if (part.length > maxBytes - bytes.size()) {
        tooLong();
        return;
      }
      bytes.write(part, 0, part.length);
    }
  }

  private void tooLong() {
    if (subscription != null) {
      subscription.cancel();
    }
    body.completeExceptionally(new IOException("body of more than " + maxBytes + " bytes"));
  }

  @Override
  public void onError(Throwable failed) {
    body.completeExceptionally(failed);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
