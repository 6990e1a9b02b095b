package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.app.config.ValueSettings.Envelope;
import dev.ingest.app.config.ValueSettings.Format;
import dev.ingest.app.config.ValueSettings.Operation;
import dev.ingest.mapping.TombstoneRule;
import dev.ingest.plan.KeyRules;
import dev.ingest.plan.KeyRules.Normalization;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueRulesTest {
  private static Config load(String... assignments) {
    return Config.load(
        new SettingSources(
            Path.of("none.yaml"),
            false,
            Map.of(),
            Stream.concat(Stream.of("ingest.source.topics=t"), Stream.of(assignments)).toList()),
        Set.of(Concern.SOURCE));
  }

  private static void assertRefused(String problem, String... assignments) {
    assertThatThrownBy(() -> load(assignments)).hasMessageContaining(problem);
  }

  @Test
  void eachRouteHasItsOwnFormat() {
    List<RouteSettings> routes =
        load(
                "ingest.value.format=avro",
                "ingest.value.registry.url=http://a:8081, https://b/registry",
                "ingest.routes.one.topics=t",
                "ingest.routes.two.value.format=json",
                "ingest.routes.two.value.envelope=debezium",
                "ingest.routes.two.value.operations=update,create",
                "ingest.routes.two.key.normalize=trim,lower-case",
                "ingest.routes.two.key.too-long=digest")
            .routes();

    assertThat(routes.get(0).value().format()).isEqualTo(Format.AVRO);
    assertThat(routes.get(0).key().rules()).isEqualTo(KeyRules.NONE);
    assertThat(routes.get(1).value())
        .isEqualTo(
            new ValueSettings(
                Format.JSON, Envelope.DEBEZIUM, List.of(Operation.UPDATE, Operation.CREATE), null));
    assertThat(routes.get(1).key().rules())
        .isEqualTo(
            new KeyRules(
                List.of(Normalization.TRIM, Normalization.LOWER_CASE), KeyRules.TooLong.DIGEST));
  }

  @Test
  void registryIsReachedAsItIsSaid() {
    RegistrySettings registry =
        load(
                "ingest.value.registry.url=http://a:8081,https://b/registry",
                "ingest.value.registry.user=me",
                "ingest.value.registry.password=secret")
            .registry();

    assertThat(registry)
        .isEqualTo(
            new RegistrySettings(
                List.of(URI.create("http://a:8081"), URI.create("https://b/registry")),
                "me",
                new Secret("secret"),
                Duration.ofSeconds(3)));
    assertThat(registry.toString()).doesNotContain("secret");
    assertRefused("is no address of a registry", "ingest.value.registry.url=registry:8081");
    assertRefused("puts a user before the host", "ingest.value.registry.url=http://me:pw@a");
  }

  @Test
  void tombstonesHaveARuleOnEachRoute() {
    List<RouteSettings> routes =
        load(
                "ingest.tombstone=delete",
                "ingest.routes.one.topics=t",
                "ingest.routes.two.tombstone=soft-delete(deleted_at)",
                "ingest.routes.two.target.table=app.t",
                "ingest.routes.two.target.columns.id=key")
            .routes();

    assertThat(routes)
        .extracting(route -> route.target().rules().tombstone().toString())
        .containsExactly("delete", "soft-delete(deleted_at)");
    assertThat(routes.get(1).target().tombstoneSetting()).isEqualTo("ingest.routes.two.tombstone");
    assertThat(load().routes().get(0).target().rules().tombstone()).isEqualTo(TombstoneRule.STORE);
    assertRefused(
        "is unknown; use store, skip, park, delete, or soft-delete(column)",
        "ingest.tombstone=soft-delete");
    assertRefused(
        "ingest.tombstone=delete finds rows by the key",
        "ingest.tombstone=delete",
        "ingest.key.from=record-key,json:/id");
    assertThat(load("ingest.tombstone=skip", "ingest.key.from=json:/id").routes()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "header:id          |      | id | ",
        "header:id,header:no|      | id,no | ",
        "header:id          |      | id,whole | ",
        "record-key         |      | whole | ",
        "record-key         |      | id | key.from takes the key from elsewhere",
        "header:no          |      | id | target.columns.id=header:id, and",
        "header:id,header:no|      | id | hold a part of the key alone",
        "record-key,header:id|     | id | hold a part of the key alone",
        "header:id          | trim | id | which holds the header as it came",
        "header:id          | trim | whole | ",
      })
  void keyColumnsOfARouteThatDeletesHoldItsKey(
      String from, @Nullable String normalize, String keyColumns, @Nullable String problem) {
    List<String> given =
        new ArrayList<>(
            List.of(
                "ingest.tombstone=delete",
                "ingest.key.from=" + from,
                "ingest.target.table=app.t",
                "ingest.target.key-columns=" + keyColumns,
                "ingest.target.columns.id=header:id",
                "ingest.target.columns.no=header:no",
                "ingest.target.columns.whole=key"));
    if (normalize != null) {
      given.add("ingest.key.normalize=" + normalize);
    }
    String[] assignments = given.toArray(String[]::new);

    if (problem == null) {
      assertThat(load(assignments).routes()).hasSize(1);
    } else {
      assertRefused(problem, assignments);
    }
  }

  @Test
  void whatIsWrongTogetherIsRefused() {
    assertRefused("needs a schema registry", "ingest.value.format=avro");
    assertRefused("needs a schema registry", "ingest.value.format=protobuf");
    assertRefused(
        "ingest.value.schema-file has an effect only with value.format=avro",
        "ingest.value.schema-file=a.avsc");
    assertRefused(
        "no key can come from json:/", "ingest.value.format=text", "ingest.key.from=json:/id");
    assertRefused(
        "mend ingest.target.columns.a",
        "ingest.value.format=bytes",
        "ingest.target.columns.id=key",
        "ingest.target.columns.a=json:/a");
    assertRefused("has no envelope", "ingest.value.format=bytes", "ingest.value.envelope=debezium");
    assertRefused(
        "ingest.value.operations has an effect only with value.envelope=debezium",
        "ingest.value.operations=create");
    assertRefused(
        "ingest.routes.r.value.format=avro needs a schema registry",
        "ingest.routes.r.topics=t",
        "ingest.routes.r.value.format=avro");
  }
}
