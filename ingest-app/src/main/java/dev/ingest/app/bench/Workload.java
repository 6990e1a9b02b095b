package dev.ingest.app.bench;

import java.util.List;

/**
 * What a contestant has to do: read a preloaded topic and store it. Immutable.
 *
 * @param events records in the topic that the contestant reads
 * @param group consumer group of this run alone
 * @param consumers threads or consumers
 * @param batch events in a transaction at most
 */
record Workload(
    String bootstrap,
    String topic,
    String url,
    long events,
    String group,
    int consumers,
    int batch) {

  List<String> toArguments() {
    return List.of(
        bootstrap,
        topic,
        url,
        Long.toString(events),
        group,
        Integer.toString(consumers),
        Integer.toString(batch));
  }

  static Workload fromArguments(List<String> arguments) {
    return new Workload(
        arguments.get(0),
        arguments.get(1),
        arguments.get(2),
        Long.parseLong(arguments.get(3)),
        arguments.get(4),
        Integer.parseInt(arguments.get(5)),
        Integer.parseInt(arguments.get(6)));
  }
}
