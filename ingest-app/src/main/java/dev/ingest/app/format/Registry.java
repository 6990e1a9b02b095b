package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ingest.app.config.RegistrySettings;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client of the public REST interface of schema registries. Each question goes to the addresses
 * in their order until one answers, once a call: who waits and asks again is the pipeline. Keeps
 * nothing; thread-safe.
 */
final class Registry {
  private static final String ACCEPT = "application/vnd.schemaregistry.v1+json, application/json";

  /** Error codes of the interface for a schema, subject or version that there is none of. */
  private static final List<Integer> NOT_FOUND = List.of(40401, 40402, 40403);

  private static final int MAX_BYTES = 16 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RegistrySettings settings;
  private final HttpClient client;

  /** A schema that this one uses, by the name under which it does. */
  record Reference(String name, String subject, int version) {}

  /**
   * A schema as the registry has it.
   *
   * @param type {@code AVRO}, {@code PROTOBUF} or {@code JSON}
   */
  record RegisteredSchema(String type, String text, List<Reference> references) {}

  Registry(RegistrySettings settings) {
    this.settings = settings;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(settings.timeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /**
   * The schema of an id; empty where the registry says that there is none.
   *
   * @throws StoreFault where no address gives an answer that can be used
   */
  Optional<RegisteredSchema> byId(int id) {
    // Protobuf schemas come as compiled descriptors, for which Java has a reader, not as text.
    return ask("schemas/ids/" + id + "?format=serialized").map(Registry::schema);
  }

  /** The schema that a reference names, likewise. */
  Optional<RegisteredSchema> byReference(Reference reference) {
    String subject = URLEncoder.encode(reference.subject(), UTF_8).replace("+", "%20");
    return ask("subjects/" + subject + "/versions/" + reference.version())
        .flatMap(found -> byId(requiredInt(found, "id")));
  }

  private static RegisteredSchema schema(JsonNode body) {
    List<Reference> references = new ArrayList<>();
    for (JsonNode each : body.path("references")) {
      references.add(
          new Reference(
              each.path("name").asText(),
              each.path("subject").asText(),
              requiredInt(each, "version")));
    }
    JsonNode text = body.path("schema");
    if (!text.isTextual()) {
      throw away("it answers without a schema", null);
    }
    return new RegisteredSchema(body.path("schemaType").asText("AVRO"), text.asText(), references);
  }

  private static int requiredInt(JsonNode body, String field) {
    if (!body.path(field).isInt()) {
      throw away("it answers without the field " + field, null);
    }
    return body.path(field).asInt();
  }

  private Optional<JsonNode> ask(String path) {
    StoreFault failed = null;
    for (URI url : settings.urls()) {
      try {
        return ask(url, path);
      } catch (StoreFault fault) {
        if (failed != null) {
          fault.addSuppressed(failed);
        }
        failed = fault;
      }
    }
    throw failed == null ? away("no address is set", null) : failed;
  }

  private Optional<JsonNode> ask(URI url, String path) {
    String base = url.toString();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + (base.endsWith("/") ? "" : "/") + path))
            .header("Accept", ACCEPT);
    if (!settings.user().isEmpty()) {
      String login = settings.user() + ":" + settings.password().reveal();
      request.header(
          "Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
    }
    HttpResponse<byte[]> response = send(url, request.build());
    return answer(url, response.statusCode(), response.body());
  }

  /** The time is for the whole answer; the client's own timeout ends with the headers. */
  private HttpResponse<byte[]> send(URI url, HttpRequest request) {
    CompletableFuture<HttpResponse<byte[]>> sent =
        client.sendAsync(request, head -> new BoundedBody(MAX_BYTES));
    try {
      return sent.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      String name = cause == null ? "unknown" : cause.getClass().getSimpleName();
      throw away(url + " does not answer (" + name + ")", failed);
    } catch (TimeoutException late) {
      sent.cancel(true);
      throw away(url + " does not answer within " + settings.timeout().toMillis() + " ms", late);
    } catch (InterruptedException stopped) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw away("interrupted", stopped);
    }
  }

  private static Optional<JsonNode> answer(URI url, int status, byte[] body) {
    JsonNode json = json(body);
    if (status == 200 && json != null && json.isObject()) {
      return Optional.of(json);
    }
    // A 404 without the interface's own code comes from something that is no registry.
    if (status == 404 && json != null && NOT_FOUND.contains(json.path("error_code").asInt())) {
      return Optional.empty();
    }
    throw away(url + " answers with status " + status, null);
  }

  private static @Nullable JsonNode json(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException other) {
      return null;
    }
  }

  private static StoreFault away(String what, @Nullable Throwable cause) {
    return new StoreFault(
        FaultKind.ENVIRONMENT,
        null,
        "schema registry: " + what + "; look at it and at ingest.value.registry.*",
        cause);
  }
}
