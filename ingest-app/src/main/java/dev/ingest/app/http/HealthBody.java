package dev.ingest.app.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The body of a health answer: what is wrong in words, then how each consumer is. */
final class HealthBody {
  private static final JsonFactory JSON = new JsonFactory();

  private HealthBody() {}

  static String json(Verdict verdict, List<ConsumerStatus> consumers, Instant now) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("status", verdict.ok() ? "ok" : "failing");
      json.writeArrayFieldStart("problems");
      for (String problem : verdict.problems()) {
        json.writeString(problem);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("consumers");
      for (ConsumerStatus consumer : consumers) {
        consumer(json, consumer, now);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text + "\n";
  }

  private static void consumer(JsonGenerator json, ConsumerStatus consumer, Instant now)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", consumer.name());
    json.writeStringField("state", Words.of(consumer.state()));
    json.writeBooleanField("paused", consumer.pause().isPresent());
    json.writeBooleanField("joined", consumer.joined());
    json.writeNumberField("partitions", consumer.partitions().size());
    json.writeNumberField("millisSincePoll", since(consumer.lastPoll(), now));
    json.writeNumberField("millisSinceWrite", since(consumer.lastWrite(), now));
    json.writeEndObject();
  }

  private static long since(Instant last, Instant now) {
    return Math.max(0, Duration.between(last, now).toMillis());
  }
}
