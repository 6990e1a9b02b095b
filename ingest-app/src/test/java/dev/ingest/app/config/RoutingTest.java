package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ingest.app.config.ValueSettings.Envelope;
import dev.ingest.app.config.ValueSettings.Format;
import dev.ingest.app.config.ValueSettings.Operation;
import dev.ingest.mapping.ColumnMapping;
import dev.ingest.mapping.TargetMapping;
import dev.ingest.plan.KeyRules;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RoutingTest {
  private static final ValueSettings JSON =
      new ValueSettings(
          Format.JSON, Envelope.NONE, List.of(Operation.CREATE, Operation.READ), null);

  private static List<RouteSettings> routes(
      Map<String, String> environment, String... assignments) {
    return Config.load(
            new SettingSources(
                Path.of("none.yaml"),
                false,
                environment,
                Stream.concat(
                        Stream.of(
                            "ingest.source.topics=orders,refunds",
                            "ingest.kafka.bootstrap.servers=b:1"),
                        Stream.of(assignments))
                    .toList()),
            Set.of(Concern.SOURCE))
        .routes();
  }

  @Test
  void withoutRoutesThereIsOneForEverything() {
    assertThat(routes(Map.of(), "ingest.key.from=json:/id"))
        .containsExactly(
            new RouteSettings(
                "default",
                new Topics.Names(List.of("orders", "refunds")),
                new KeySettings(List.of(new KeyPart.JsonValue("/id")), KeyRules.NONE),
                JSON,
                TargetMapping.event()));
  }

  @Test
  void aRouteTakesWhatItDoesNotSetFromTheSettingsForAll() {
    List<RouteSettings> routes =
        routes(
            Map.of(),
            "ingest.key.from=json:/id",
            "ingest.target.table=app.all",
            "ingest.target.columns.id=key",
            "ingest.target.columns.at=timestamp",
            "ingest.routes.all.topics=orders,refunds",
            "ingest.routes.money.topics=refunds",
            "ingest.routes.money.key.from=json:/refund",
            "ingest.routes.money.target.table=app.refund",
            "ingest.routes.money.target.columns.refund=key");

    assertThat(routes).extracting(RouteSettings::name).containsExactly("all", "money");
    assertThat(routes.get(0).target().table()).isEqualTo("app.all");
    assertThat(routes.get(0).target().setting()).isEqualTo("ingest.target.");
    assertThat(routes.get(0).key().parts()).containsExactly(new KeyPart.JsonValue("/id"));
    assertThat(routes.get(1))
        .isEqualTo(
            new RouteSettings(
                "money",
                new Topics.Names(List.of("refunds")),
                new KeySettings(List.of(new KeyPart.JsonValue("/refund")), KeyRules.NONE),
                JSON,
                new TargetMapping(
                    "ingest.routes.money.target.",
                    "app.refund",
                    List.of("refund"),
                    List.of(ColumnMapping.parse("refund", "key")))));
  }

  @Test
  void variablesReachIntoARoute() {
    List<RouteSettings> routes =
        routes(
            Map.of(
                "INGEST_ROUTES_BIG_ONES_TOPICS", "orders.*|refunds",
                "INGEST_ROUTES_BIG_ONES_TARGET_KEY_COLUMNS", "the_id",
                "INGEST_ROUTES_BIG_ONES_TARGET_TABLE", "app.t",
                "INGEST_ROUTES_BIG_ONES_TARGET_COLUMNS_THE_ID", "json:/id"));

    assertThat(routes)
        .containsExactly(
            new RouteSettings(
                "big-ones",
                new Topics.Matching("orders.*|refunds"),
                new KeySettings(List.of(new KeyPart.RecordKey()), KeyRules.NONE),
                JSON,
                new TargetMapping(
                    "ingest.routes.big-ones.target.",
                    "app.t",
                    List.of("the_id"),
                    List.of(ColumnMapping.parse("the_id", "json:/id")))));
  }

  @Test
  void problemsNameTheSettingOfTheRoute() {
    assertThatThrownBy(
            () ->
                routes(
                    Map.of(),
                    "ingest.routes.a.topics=orders,,",
                    "ingest.routes.a.tpics=orders",
                    "ingest.routes.b=x",
                    "ingest.routes.B.topics=orders",
                    "ingest.routes.c.key.from=nowhere",
                    "ingest.routes.c.target.columns.id=kye",
                    "ingest.routes.d.target.table=app.t"))
        .hasMessageContaining("ingest.routes.a.topics=orders,, holds no legal topic name")
        .hasMessageContaining(
            "ingest.routes.a.tpics is no setting of a route; use topics, target.columns.NAME,")
        .hasMessageContaining("ingest.routes.b names no setting of a route")
        .hasMessageContaining("ingest.routes.B is no name of a route")
        .hasMessageContaining("ingest.routes.c.key.from=nowhere is unknown")
        .hasMessageContaining("ingest.routes.c.target.columns.id=kye is no source")
        .hasMessageContaining("add ingest.routes.d.target.columns.NAME for each");
  }

  @Test
  void everyTopicThatIsReadIsTakenAndEveryOneTakenIsRead() {
    assertThatThrownBy(() -> routes(Map.of(), "ingest.routes.a.topics=orders,other"))
        .hasMessageContaining("ingest.routes.a.topics names other, which is not read")
        .hasMessageContaining("no route takes topic refunds");
  }
}
