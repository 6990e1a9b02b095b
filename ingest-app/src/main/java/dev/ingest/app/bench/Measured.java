package dev.ingest.app.bench;

/**
 * One run of one contestant.
 *
 * @param events that it stored or found there
 * @param seconds from the first poll that returned something to the last commit of offsets
 * @param cpuSeconds of the contestant's process in that time; start-up is not in it
 */
record Measured(String contestant, long events, double seconds, double cpuSeconds) {
  double rate() {
    return events / seconds;
  }
}
