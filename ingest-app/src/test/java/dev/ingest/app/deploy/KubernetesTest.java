package dev.ingest.app.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Kinds and fields of the Kubernetes files, by the client library's model of the API. */
class KubernetesTest {
  private static final Map<String, Class<?>> KINDS =
      Map.of(
          "v1/ConfigMap", ConfigMap.class,
          "apps/v1/Deployment", Deployment.class,
          "batch/v1/Job", Job.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class);

  /** https://keda.sh/docs/latest/reference/scaledobject-spec/ */
  private static final Set<String> SCALED_OBJECT =
      Set.of(
          "scaleTargetRef",
          "pollingInterval",
          "cooldownPeriod",
          "initialCooldownPeriod",
          "idleReplicaCount",
          "minReplicaCount",
          "maxReplicaCount",
          "fallback",
          "advanced",
          "triggers");

  /** https://keda.sh/docs/latest/scalers/apache-kafka/ */
  private static final Set<String> KAFKA_TRIGGER =
      Set.of(
          "bootstrapServers",
          "consumerGroup",
          "topic",
          "lagThreshold",
          "activationLagThreshold",
          "offsetResetPolicy",
          "allowIdleConsumers",
          "scaleToZeroOnInvalidOffset",
          "excludePersistentLag",
          "limitToPartitionsWithLag",
          "version",
          "partitionLimitation",
          "sasl",
          "tls",
          "unsafeSsl",
          "ensureEvenDistributionOfPartitions");

  /** https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/ */
  private static final Set<String> KUSTOMIZATION =
      Set.of(
          "apiVersion",
          "kind",
          "namespace",
          "resources",
          "components",
          "images",
          "patches",
          "labels");

  /** Unknown fields fail; the library itself would keep them. */
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              })
          .build();

  @Test
  void objectsHaveFieldsThatTheApiKnows() {
    List<Map<String, Object>> objects = objects();

    assertThat(objects).extracting(KubernetesTest::kind).containsAll(KINDS.keySet());
    for (Map<String, Object> object : objects) {
      Class<?> model = KINDS.get(kind(object));
      assertThat(model).as("model of " + kind(object)).isNotNull();
      assertThat(STRICT.convertValue(object, model)).isNotNull();
    }
  }

  @Test
  void aFieldThatTheApiDoesNotKnowIsFound() {
    Map<String, Object> deployment = DeployFiles.document("kubernetes/base/deployment.yaml");
    DeployFiles.map(DeployFiles.at(deployment, "spec/template/spec/containers/0/livenessProbe"))
        .put("failureTreshold", 3);

    assertThatThrownBy(() -> STRICT.convertValue(deployment, Deployment.class))
        .hasMessageContaining("failureTreshold");
  }

  @Test
  void autoscalingHasFieldsThatKedaKnows() {
    Map<String, Object> object = DeployFiles.document("kubernetes/autoscaling/scaledobject.yaml");

    assertThat(kind(object)).isEqualTo("keda.sh/v1alpha1/ScaledObject");
    Map<String, Object> spec = DeployFiles.map(object.get("spec"));
    assertThat(SCALED_OBJECT).containsAll(spec.keySet());
    assertThat(DeployFiles.at(spec, "triggers/0/type")).isEqualTo("kafka");
    Map<String, Object> trigger = DeployFiles.map(DeployFiles.at(spec, "triggers/0/metadata"));
    assertThat(KAFKA_TRIGGER).containsAll(trigger.keySet());
    assertThat(trigger.values()).as("KEDA takes text only").allMatch(String.class::isInstance);
  }

  @Test
  void kustomizationsNameFilesThatAreThere() {
    for (Path file : DeployFiles.yamlFiles("kubernetes")) {
      if (file.getFileName().toString().equals("kustomization.yaml")) {
        Map<String, Object> kustomization = DeployFiles.documents(file).get(0);
        assertThat(KUSTOMIZATION).containsAll(kustomization.keySet());
        for (String key : List.of("resources", "components")) {
          for (Object name : DeployFiles.list(kustomization.getOrDefault(key, List.of()))) {
            assertThat(Files.exists(file.resolveSibling((String) name))).as("%s", name).isTrue();
          }
        }
      }
    }
  }

  /** A patch for something that is not there would fail at the user's. */
  @Test
  void patchesMeetObjectsAndFieldsThatAreThere() {
    Path overlay = DeployFiles.ROOT.resolve("kubernetes/overlays/example");
    Object kustomization = DeployFiles.documents(overlay.resolve("kustomization.yaml")).get(0);
    for (Object each : DeployFiles.list(DeployFiles.at(kustomization, "patches"))) {
      Map<String, Object> patch = DeployFiles.map(each);
      if (patch.containsKey("path")) {
        Path file = overlay.resolve((String) patch.get("path"));
        Map<String, Object> object = DeployFiles.documents(file).get(0);
        assertThat(named("base", object.get("kind"), DeployFiles.at(object, "metadata/name")))
            .as("%s", file)
            .hasSize(1);
      } else {
        Map<String, Object> target = DeployFiles.map(patch.get("target"));
        Map<String, Object> object =
            named("autoscaling", target.get("kind"), target.get("name")).get(0);
        for (Object operation : DeployFiles.inline((String) patch.get("patch"))) {
          assertThat(DeployFiles.at(operation, "op")).isEqualTo("replace");
          String path = (String) DeployFiles.at(operation, "path");
          assertThat(DeployFiles.at(object, path.substring(1))).as(path).isInstanceOf(String.class);
        }
      }
    }
  }

  private static List<Map<String, Object>> named(String folder, Object kind, Object name) {
    return DeployFiles.yamlFiles("kubernetes/" + folder).stream()
        .flatMap(file -> DeployFiles.documents(file).stream())
        .filter(object -> kind.equals(object.get("kind")))
        .filter(object -> name.equals(DeployFiles.at(object, "metadata/name")))
        .toList();
  }

  @Test
  void podsMayDoAsLittleAsCanBe() {
    for (String file : List.of("deployment", "migrate")) {
      Object pod =
          DeployFiles.at(
              DeployFiles.document("kubernetes/base/" + file + ".yaml"), "spec/template/spec");
      assertThat(DeployFiles.at(pod, "enableServiceLinks")).isEqualTo(false);
      assertThat(DeployFiles.at(pod, "automountServiceAccountToken")).isEqualTo(false);
      assertThat(DeployFiles.at(pod, "securityContext/runAsNonRoot")).isEqualTo(true);
      Object container = DeployFiles.at(pod, "containers/0");
      assertThat(DeployFiles.at(container, "securityContext/readOnlyRootFilesystem"))
          .isEqualTo(true);
      assertThat(DeployFiles.at(container, "securityContext/capabilities/drop/0")).isEqualTo("ALL");
    }
  }

  private static List<Map<String, Object>> objects() {
    return DeployFiles.yamlFiles("kubernetes").stream()
        .filter(file -> !file.getFileName().toString().equals("kustomization.yaml"))
        .flatMap(file -> DeployFiles.documents(file).stream())
        .filter(object -> !kind(object).startsWith("keda.sh/"))
        .toList();
  }

  private static String kind(Map<String, Object> object) {
    return object.get("apiVersion") + "/" + object.get("kind");
  }
}
