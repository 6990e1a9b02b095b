package dev.ingest.app.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Processor time of other processes on this machine, as Linux tells it in /proc. */
public final class ProcessCpu {
  private static final Path PROC = Path.of("/proc");

  /** Linux counts in hundredths of a second on every processor that Java runs on. */
  private static final double TICK_SECONDS = 0.01;

  private ProcessCpu() {}

  /** Fields of /proc/PID/stat (proc(5)), those behind the command's name. */
  private record Stat(long parent, long own, long reaped) {}

  /** Seconds that a process itself has used; NaN where it can't be told. */
  public static double ofProcess(long pid) {
    Stat stat = stat(pid);
    return stat.parent < 0 ? Double.NaN : stat.own * TICK_SECONDS;
  }

  /** Seconds that a process and its children have used, those included that have ended. */
  static double ofFamily(long parent) {
    Stat before = stat(parent);
    long children = children(parent);
    Stat after = stat(parent);
    // A child that ended in between would be missed or counted twice.
    while (after.reaped != before.reaped) {
      before = after;
      children = children(parent);
      after = stat(parent);
    }
    return (after.own + after.reaped + children) * TICK_SECONDS;
  }

  private static long children(long parent) {
    return pids().stream()
        .map(ProcessCpu::stat)
        .filter(each -> each.parent == parent)
        .mapToLong(each -> each.own + each.reaped)
        .sum();
  }

  /**
   * The server process of a session.
   *
   * @return empty where that session is not a process of PostgreSQL on this machine
   */
  static OptionalLong postmaster(long backend) {
    try {
      boolean here = Files.readString(PROC.resolve(backend + "/comm")).startsWith("postgres");
      return here ? OptionalLong.of(stat(backend).parent) : OptionalLong.empty();
    } catch (IOException absent) {
      return OptionalLong.empty();
    }
  }

  private static Stat stat(long pid) {
    try {
      String text = Files.readString(PROC.resolve(pid + "/stat"));
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      return new Stat(number(fields, 1), sum(fields, 11), sum(fields, 13));
    } catch (IOException ended) {
      return new Stat(-1, 0, 0);
    }
  }

  private static long sum(String[] fields, int first) {
    return number(fields, first) + number(fields, first + 1);
  }

  private static long number(String[] fields, int index) {
    return Long.parseLong(fields[index]);
  }

  private static List<Long> pids() {
    List<Long> pids = new ArrayList<>();
    try (Stream<Path> entries = Files.list(PROC)) {
      entries
          .map(each -> each.getFileName().toString())
          .filter(name -> name.chars().allMatch(Character::isDigit))
          .forEach(name -> pids.add(Long.valueOf(name)));
    } catch (IOException absent) {
      // no Linux: nothing is counted
    }
    return pids;
  }
}
