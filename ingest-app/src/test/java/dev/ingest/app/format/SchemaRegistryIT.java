package dev.ingest.app.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DynamicMessage;
import dev.ingest.app.config.RegistrySettings;
import dev.ingest.app.config.Secret;
import dev.ingest.mapping.UnfitValueException;
import dev.ingest.pipeline.StoreFault;
import dev.ingest.plan.FaultKind;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked of a registry, how often, and what follows from each answer. */
class SchemaRegistryIT {
  private final RegistryStub stub = RegistryStub.start();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final SchemaCache schemas = cache(AvroSchemas::decoder, stub.url());

  private SchemaCache cache(SchemaCache.Compiler compiler, String... urls) {
    RegistrySettings settings =
        new RegistrySettings(
            List.of(urls).stream().map(URI::create).toList(),
            "me",
            new Secret("pa:ss"),
            Duration.ofSeconds(5));
    return new SchemaCache(new Registry(settings), compiler, now::get);
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private static String json(Decoder decoder, int... bytes) {
    byte[] value = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      value[i] = (byte) bytes[i];
    }
    return new String(Documents.write(decoder, value, 0), UTF_8);
  }

  private static void assertPauses(Runnable call, String why) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(FaultKind.ENVIRONMENT))
        .hasMessageContaining(why)
        .hasMessageNotContaining("pa:ss");
  }

  @Test
  void aSchemaIsAskedForOnce() {
    stub.register(7, "AVRO", "\"int\"");

    assertThat(json(schemas.get(7), 2)).isEqualTo("1");
    assertThat(schemas.get(7)).isSameAs(schemas.get(7));
    assertThat(stub.questions()).isOne();
  }

  @Test
  void secretsAreSentAndOthersAreRefused() {
    stub.register(7, "AVRO", "\"int\"");
    stub.authorization("Basic " + Base64.getEncoder().encodeToString("me:pa:ss".getBytes(UTF_8)));
    schemas.get(7);

    stub.authorization("Basic other");

    assertPauses(() -> schemas.get(8), "answers with status 401");
  }

  @Test
  void registryThatIsAwayIsNoFaultOfTheEvent() {
    stub.status(503);
    assertPauses(() -> schemas.get(7), "answers with status 503");
    stub.status(404);
    assertPauses(() -> schemas.get(7), "answers with status 404");
    stub.status(302);
    assertPauses(() -> schemas.get(7), "answers with status 302");
    stub.close();
    assertPauses(() -> schemas.get(7), "does not answer");
  }

  @Test
  void answerThatNeverEndsIsGivenUp() {
    SchemaCache impatient =
        new SchemaCache(
            new Registry(
                new RegistrySettings(
                    List.of(URI.create(stub.url())), "", Secret.NONE, Duration.ofMillis(300))),
            AvroSchemas::decoder,
            now::get);
    stub.silent(true);
    assertPauses(() -> impatient.get(7), "does not answer within 300 ms");
    stub.silent(false);
    stub.endless(true);
    assertPauses(() -> schemas.get(7), "does not answer");
  }

  @Test
  void theNextAddressIsAskedWhereOneIsAway() {
    RegistryStub dead = RegistryStub.start();
    dead.close();
    stub.register(7, "AVRO", "\"int\"");

    assertThat(cache(AvroSchemas::decoder, dead.url(), stub.url() + "/").get(7)).isNotNull();
  }

  @Test
  void unknownIdIsTriedForAWhileAndThenRememberedForAWhile() {
    assertThatThrownBy(() -> schemas.get(7))
        .isInstanceOfSatisfying(
            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(FaultKind.TRANSIENT));

    now.set(now.get().plus(SchemaCache.GRACE));
    assertThatThrownBy(() -> schemas.get(7)).isInstanceOf(UnfitValueException.class);
    stub.register(7, "AVRO", "\"int\"");
    assertThatThrownBy(() -> schemas.get(7)).isInstanceOf(UnfitValueException.class);
    assertThat(stub.questions()).isEqualTo(2);

    now.set(now.get().plus(SchemaCache.REMEMBERED));
    assertThat(json(schemas.get(7), 2)).isEqualTo("1");
  }

  @Test
  void unknownIdsAreNotWaitedForOneByOneAndTheirNumberIsBounded() {
    assertThatThrownBy(() -> schemas.get(0)).isInstanceOf(StoreFault.class);
    now.set(now.get().plus(SchemaCache.GRACE));
    for (int id = 0; id < SchemaCache.MOST + 10; id++) {
      int each = id;
      assertThatThrownBy(() -> schemas.get(each)).isInstanceOf(UnfitValueException.class);
    }
    assertThat(schemas.size()).isEqualTo(SchemaCache.MOST);
  }

  @Test
  void avroReferencesAreFollowedEachOnce() {
    stub.register(1, "AVRO", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"X\"]}");
    stub.register(
        2,
        "AVRO",
        "{\"type\":\"record\",\"name\":\"A\",\"fields\":[{\"name\":\"e\",\"type\":\"E\"}]}",
        new RegistryStub.Use("E", "an/e", 1));
    stub.register(
        3,
        "AVRO",
        "{\"type\":\"record\",\"name\":\"B\",\"fields\":[{\"name\":\"a\",\"type\":\"A\"},"
            + "{\"name\":\"e\",\"type\":\"E\"}]}",
        new RegistryStub.Use("E", "an/e", 1),
        new RegistryStub.Use("A", "a", 4));
    stub.version("an/e", 1, 1);
    stub.version("a", 4, 2);

    assertThat(json(schemas.get(3), 0, 0)).isEqualTo("{\"a\":{\"e\":\"X\"},\"e\":\"X\"}");
    assertThat(stub.questions()).isEqualTo(5);
  }

  @Test
  void schemaThatCantBeUsedIsSaidWithItsId() {
    stub.register(1, "AVRO", "nope");
    stub.register(2, "PROTOBUF", "syntax = \"proto3\";");
    stub.register(3, "AVRO", "\"int\"", new RegistryStub.Use("E", "gone", 1));

    assertThatThrownBy(() -> schemas.get(1))
        .hasMessage("schema id=1 can't be used: it is no valid Avro schema");
    assertThatThrownBy(() -> schemas.get(2))
        .hasMessage("schema id=2 can't be used: it is of type PROTOBUF, not AVRO");
    assertThatThrownBy(() -> schemas.get(3))
        .hasMessage(
            "schema id=3 can't be used: it uses subject gone version 1, which the registry does not"
                + " have");
    assertThatThrownBy(() -> cache(ProtobufSchemas::decoder, stub.url()).get(2))
        .hasMessageContaining("the registry gives it as text");
  }

  @Test
  void protobufImportsAreFollowed() {
    FileDescriptorProto user =
        FileDescriptorProto.newBuilder()
            .setName("user.proto")
            .setSyntax("proto3")
            .addDependency("order.proto")
            .addMessageType(
                DescriptorProto.newBuilder()
                    .setName("User")
                    .addField(
                        FieldDescriptorProto.newBuilder()
                            .setName("other")
                            .setNumber(1)
                            .setTypeName(".shop.Other")
                            .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)))
            .build();
    stub.register(1, "PROTOBUF", base64(OrderSchema.PROTO));
    stub.register(2, "PROTOBUF", base64(user), new RegistryStub.Use("order.proto", "order", 1));
    stub.version("order", 1, 1);
    SchemaCache protobuf = cache(ProtobufSchemas::decoder, stub.url());

    byte[] other =
        DynamicMessage.newBuilder(OrderSchema.FILE.findMessageTypeByName("Other"))
            .setField(OrderSchema.FILE.findMessageTypeByName("Other").findFieldByName("n"), 5)
            .build()
            .toByteArray();
    assertThat(json(protobuf.get(2), 0, 1 << 3 | 2, other.length, other[0], other[1]))
        .isEqualTo("{\"other\":{\"n\":5}}");
    assertThat(protobuf.get(1)).isNotNull();
  }

  private static String base64(FileDescriptorProto file) {
    return Base64.getEncoder().encodeToString(file.toByteArray());
  }
}
