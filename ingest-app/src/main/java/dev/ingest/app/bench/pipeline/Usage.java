package dev.ingest.app.bench.pipeline;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What this process has used so far. Immutable.
 *
 * @param allocatedBytes by the threads that are alive
 */
record Usage(long nanos, double cpuSeconds, double allocatedBytes) {
  static Usage now() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double allocated =
        Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
            .filter(bytes -> bytes > 0)
            .asDoubleStream()
            .sum();
    return new Usage(System.nanoTime(), system.getProcessCpuTime() / 1e9, allocated);
  }

  /** Heap in use after the last collection. */
  static double heapBytes() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getCollectionUsage)
        .filter(usage -> usage != null)
        .mapToLong(MemoryUsage::getUsed)
        .sum();
  }

  /** Memory of the process at its highest; NaN where the system does not tell. */
  static double residentBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException absent) {
      return Double.NaN;
    }
  }
}
