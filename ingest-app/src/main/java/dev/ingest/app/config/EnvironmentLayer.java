package dev.ingest.app.config;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the environment into a layer: {@code INGEST_BATCH_MAX_EVENTS} is {@code
 * ingest.batch.max-events}.
 */
final class EnvironmentLayer {
  static final String NAME = "environment";

  /** Variables of the start script, of command-line options and of the tests. */
  private static final Pattern NO_SETTING =
      Pattern.compile("INGEST_(CONFIG|LOG_FORMAT|OPTS|HOME|TEST_.*)");

  /** What Kubernetes adds to each pod for a service whose name begins with "ingest". */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "INGEST_(.*_)?(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_PROTO|_PORT|_ADDR)?)?)");

  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private EnvironmentLayer() {}

  /** A variable with an empty value counts as not there: that is how compose files pass "unset". */
  static Layer read(Map<String, String> environment, int ordinal) {
    Layer layer = new Layer(NAME, ordinal);
    new TreeMap<>(environment)
        .forEach(
            (variable, value) -> {
              if (variable.startsWith("INGEST_") && !value.isBlank()) {
                read(variable, value, layer);
              }
            });
    return layer;
  }

  private static void read(String variable, String value, Layer layer) {
    Optional<String> key = keyOf(variable);
    boolean link = SERVICE_LINK.matcher(variable).matches();
    if (key.isPresent() && link && SERVICE_ADDRESS.matcher(value).matches()) {
      layer.problem(
          variable
              + " is an address that Kubernetes set; use enableServiceLinks: false in the pod");
    } else if (key.isPresent()) {
      layer.put(key.get(), value);
    } else if (!link && !NO_SETTING.matcher(variable).matches()) {
      layer.problem(variable + " is no setting; " + Suggestion.forVariable(variable));
    }
  }

  private static Optional<String> keyOf(String variable) {
    for (Setting<?> setting : Settings.ALL) {
      if (setting.environmentName().equals(variable)) {
        return Optional.of(setting.key());
      }
    }
    return Settings.FREE.stream().flatMap(free -> free.keyOf(variable).stream()).findFirst();
  }
}
