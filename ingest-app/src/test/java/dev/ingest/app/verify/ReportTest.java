package dev.ingest.app.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.verify.Report.Counts;
import dev.ingest.app.verify.Report.PartitionReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void holdsWhenNothingIsMissingAndNothingIsThereTwice() {
    assertThat(new Report(List.of(partition(0, 10, 10), partition(0, 7, 10)), 0).holds()).isTrue();
    assertThat(new Report(List.of(partition(1, 10, 10)), 0).holds()).isFalse();
    assertThat(new Report(List.of(partition(0, 10, 10)), 1).holds()).isFalse();
  }

  @Test
  void sumsAreOverAllPartitions() {
    Report report =
        new Report(
            List.of(
                partition(0, "large", 2, 4, 10),
                partition(0, "small", 1, 4, 10),
                partition(1, "large", 3, 9, 10)),
            0);

    assertThat(report.missing()).isEqualTo(6);
    assertThat(report.lag()).as("of two partitions").isEqualTo(7);
  }

  @Test
  void lagIsNeverNegative() {
    assertThat(partition(0, 10, 4).lag()).isZero();
  }

  private static PartitionReport partition(long missing, long to, long end) {
    return partition(0, "default", missing, to, end);
  }

  private static PartitionReport partition(
      int number, String route, long missing, long to, long end) {
    return new PartitionReport(
        "orders",
        number,
        route,
        0,
        to,
        end,
        new Counts(10, 10 - missing, 0, 0, 0, missing, List.of()));
  }
}
