package dev.ingest.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SnapshotsTest {
  private final Snapshots snapshots = new Snapshots();

  @Test
  void transactionIsVisibleInTheFirstSnapshotInWhichItNoLongerRuns() {
    snapshots.add(10, "100:100:");
    snapshots.add(20, "100:103:100,102");
    snapshots.add(30, "102:103:102");
    snapshots.add(40, "103:103:");

    assertThat(snapshots.visibleAt(99)).isEqualTo(10);
    assertThat(snapshots.visibleAt(100)).isEqualTo(30);
    assertThat(snapshots.visibleAt(101)).isEqualTo(20);
    assertThat(snapshots.visibleAt(102)).isEqualTo(40);
    assertThat(snapshots.visibleAt(103)).isEqualTo(-1);
  }

  @Test
  void rowsHoldTheLowerHalfOfAnId() {
    long wrap = 1L << 32;
    snapshots.add(10, (wrap - 1) + ":" + (wrap - 1) + ":");
    snapshots.add(20, (wrap + 5) + ":" + (wrap + 5) + ":");

    assertThat(snapshots.visibleAt(wrap - 2)).isEqualTo(10);
    assertThat(snapshots.visibleAt(wrap - 1)).isEqualTo(20);
    assertThat(snapshots.visibleAt(4)).isEqualTo(20);
  }

  @Test
  void nothingIsVisibleWithoutASnapshot() {
    assertThat(snapshots.visibleAt(1)).isEqualTo(-1);
  }
}
