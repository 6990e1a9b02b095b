package dev.ingest.app.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/**
 * What is shown while lines are sent: how many, how far where the input's size is known, and how
 * fast. Single-threaded.
 */
final class SendProgress {
  /** For an input whose end is not known. */
  static final long UNKNOWN = 0;

  private final ProgressLine line;
  private final InstantSource clock;
  private final long bytesInAll;
  private final Instant start;
  private long bytes;

  /**
   * @param bytesInAll of the input, as often as it is sent; {@link #UNKNOWN} where that is so
   */
  SendProgress(ProgressLine line, long bytesInAll, InstantSource clock) {
    this.line = line;
    this.bytesInAll = bytesInAll;
    this.clock = clock;
    this.start = clock.instant();
  }

  /** The same input, whose bytes count from now on. */
  InputStream counted(InputStream input) {
    return new FilterInputStream(input) {
      @Override
      public int read() throws IOException {
        int read = super.read();
        bytes += read < 0 ? 0 : 1;
        return read;
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int read = super.read(into, from, length);
        bytes += Math.max(0, read);
        return read;
      }
    };
  }

  /**
   * @param records sent so far
   */
  void sent(long records) {
    line.show(() -> text(records));
  }

  private String text(long records) {
    long millis = Math.max(1, Duration.between(start, clock.instant()).toMillis());
    String far =
        bytesInAll == UNKNOWN
            ? ""
            : ", " + Math.min(100, 100 * bytes / bytesInAll) + " % of the input";
    return String.format(Locale.ROOT, "sent %,d%s, %,d/s", records, far, records * 1000 / millis);
  }

  /** Ends the line with the outcome. */
  void end(String outcome) {
    line.end(outcome);
  }
}
