package dev.ingest.app.cli;

import dev.ingest.testkit.TestDatabase;
import dev.ingest.testkit.TestTopics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings for the commands of one group, with one topic and one database. Immutable. */
public record Arguments(Map<String, String> settings) {
  public Arguments {
    settings = Map.copyOf(settings);
  }

  /** The group is named like the topic. A killed member leaves the group after four seconds. */
  public static Arguments of(TestDatabase database, TestTopics topics, String topic) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("ingest.source.topics", topic);
    settings.put("ingest.source.group-id", topic);
    settings.put("ingest.kafka.bootstrap.servers", topics.bootstrap());
    settings.put("ingest.kafka.session.timeout.ms", "4000");
    settings.put("ingest.kafka.heartbeat.interval.ms", "500");
    settings.put("ingest.postgres.url", database.url());
    settings.put("ingest.postgres.user", database.user());
    if (!database.password().isEmpty()) {
      settings.put("ingest.postgres.password", database.password());
    }
    settings.put("ingest.http.port", "0");
    return new Arguments(settings);
  }

  /** The same, with one setting more or another value for it. */
  public Arguments with(String key, String value) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put(key, value);
    return new Arguments(all);
  }

  /** The same without that setting. */
  public Arguments without(String key) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.remove(key);
    return new Arguments(all);
  }

  /** {@code key=value} each. */
  public List<String> assignments() {
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue())
        .toList();
  }

  /** The arguments of a command. */
  public List<String> of(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of(more));
    assignments().forEach(assignment -> arguments.addAll(List.of("--set", assignment)));
    return arguments;
  }
}
