package dev.ingest.app.bench.pipeline;

import java.util.List;
import java.util.Map;

/**
 * What one contestant tells of its run. Immutable.
 *
 * @param events that it stored or found there
 * @param seconds from the first poll that returned something to the last commit of offsets
 * @param cpuSeconds of the contestant's process in that time; start-up is not in it
 * @param laterCpuSeconds of them for the second half of the events, when most of the code has been
 *     compiled
 * @param allocatedBytes by its threads in that time
 * @param heapBytes that were left after the last collection
 * @param residentBytes of the process at its highest, start-up included
 * @param steps seconds from the beginning to the end of each step
 * @param phases where the time of transactions went, milliseconds by name, each event counted once;
 *     empty where it is not told
 */
record Measured(
    long events,
    double seconds,
    double cpuSeconds,
    double laterCpuSeconds,
    double allocatedBytes,
    double heapBytes,
    double residentBytes,
    List<Double> steps,
    Map<String, Double> phases) {
  double rate() {
    return events / seconds;
  }
}
