package dev.ingest.app.bench.pipeline;

import dev.ingest.app.bench.BenchServers;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What measurements from a topic have in common. Immutable.
 *
 * @param batch events in a transaction, at most
 * @param lingerMillis how long the product waits for a batch to fill
 * @param rounds each contestant runs once in each
 * @param heap of a contestant, as {@code -Xmx} takes it
 */
public record Setup(
    int partitions, int consumers, int batch, int lingerMillis, int rounds, String heap) {
  /**
   * @param first what is special about the measurement
   */
  Map<String, String> settings(Map<String, String> first) {
    Map<String, String> settings = new LinkedHashMap<>(first);
    settings.put("partitions", Integer.toString(partitions));
    settings.put("consumers", Integer.toString(consumers));
    settings.put("batch", Integer.toString(batch));
    settings.put("linger ms", Integer.toString(lingerMillis));
    settings.put("rounds", Integer.toString(rounds));
    settings.put("heap", heap);
    return settings;
  }

  /**
   * The work of one run, with a group of its own.
   *
   * @param name of the contestant
   * @param table as in {@link Workload}
   */
  Workload workload(
      BenchServers servers, String name, String topic, long events, String table, long step) {
    return new Workload(
        servers.database(),
        servers.topics().bootstrap(),
        topic,
        events,
        servers.topics().group(name),
        consumers,
        batch,
        lingerMillis,
        table,
        step);
  }
}
