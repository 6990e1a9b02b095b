package dev.ingest.app.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When transactions became visible to others, told from the server's snapshots, which are taken one
 * after the other. It sees commits as any other session does: after they are durable, whoever made
 * them. Single-threaded.
 */
public final class Snapshots {
  private static final long WHOLE_32_BITS = 1L << 32;

  /**
   * One snapshot (manual 9.27.7).
   *
   * @param micros when its answer was there
   * @param next the lowest transaction id that was not given out yet
   * @param running ids below that were not over, ascending
   */
  private record Snapshot(long micros, long next, long[] running) {
    boolean sees(long id) {
      return id < next && Arrays.binarySearch(running, id) < 0;
    }
  }

  private final List<Snapshot> all = new ArrayList<>();

  /**
   * @param text as {@code pg_current_snapshot()} writes it: {@code xmin:xmax:running,running}
   */
  public void add(long micros, String text) {
    int first = text.indexOf(':');
    int second = text.indexOf(':', first + 1);
    String running = text.substring(second + 1);
    long[] ids =
        running.isEmpty()
            ? new long[0]
            : Arrays.stream(running.split(",", -1)).mapToLong(Long::parseLong).sorted().toArray();
    all.add(new Snapshot(micros, Long.parseLong(text.substring(first + 1, second)), ids));
  }

  /**
   * The moment of the first snapshot that sees a transaction.
   *
   * @param xmin a row's transaction id, the lower 32 bits
   * @return microseconds as they were given; -1 where no snapshot sees it
   */
  public long visibleAt(long xmin) {
    if (all.isEmpty()) {
      return -1;
    }
    long last = all.get(all.size() - 1).next;
    long id = (last & -WHOLE_32_BITS) | xmin;
    long whole = id > last ? id - WHOLE_32_BITS : id;
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).next > whole) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    while (low < all.size() && !all.get(low).sees(whole)) {
      low++;
    }
    return low < all.size() ? all.get(low).micros : -1;
  }
}
