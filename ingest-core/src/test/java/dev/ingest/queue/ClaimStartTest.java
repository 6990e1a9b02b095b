package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class ClaimStartTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1000 * MILLISECOND;

  private final List<Entry> entries = new ArrayList<>();
  private final ClaimStart start = new ClaimStart(0);
  private long now;

  /** A job as the index has it: the dead ones stay, as under an old snapshot. Nanoseconds. */
  private static final class Entry {
    final long runAt;
    final long visibleAt;
    long claimedAt = -1;

    Entry(long runAt, long visibleAt) {
      this.runAt = runAt;
      this.visibleAt = visibleAt;
    }
  }

  /** Returns how many dead entries the claim walked over. */
  private int claim(int limit) {
    ClaimStart.Since since = start.next(now);
    long from = since.micros()[Priority.NORMAL.code()] * 1000;
    List<Entry> due =
        entries.stream()
            .filter(entry -> entry.runAt >= from && entry.runAt <= now && entry.visibleAt <= now)
            .sorted(Comparator.comparingLong(entry -> entry.runAt))
            .toList();
    List<Entry> taken = due.stream().filter(entry -> entry.claimedAt < 0).limit(limit).toList();
    boolean full = taken.size() == limit;
    long end = full ? taken.get(limit - 1).runAt : now;
    int dead = (int) due.stream().filter(entry -> entry.runAt < end).count() - taken.size();
    taken.forEach(entry -> entry.claimedAt = now);
    long began = now;
    now += MILLISECOND + Math.max(0, dead) * 700L;
    start.done(since, seen(full, began, end), now, now - began);
    return dead;
  }

  private static ClaimStart.Seen seen(boolean full, long began, long end) {
    return full
        ? new ClaimStart.Seen.Until(began / 1000, Priority.NORMAL, end / 1000)
        : new ClaimStart.Seen.Everything(began / 1000);
  }

  @Test
  void theFirstClaimLooksAtEverything() {
    assertThat(start.next(0).isBeginning()).isTrue();
  }

  @Test
  void jobsWhoseTransactionsStayedOpenAreFoundSoonAfterTheirCommit() {
    long seed = ThreadLocalRandom.current().nextLong();
    System.out.println("seed=" + seed);
    Random random = new Random(seed);
    long end = 120 * SECOND;
    for (long at = 0; at < end; at += 20 * MILLISECOND) {
      long open = random.nextInt(100) == 0 ? random.nextLong(30 * SECOND) : 5 * MILLISECOND;
      entries.add(new Entry(at, at + open));
    }

    while (now < end + 60 * SECOND) {
      claim(20);
      now += random.nextLong(20 * MILLISECOND);
    }

    assertThat(entries)
        .allSatisfy(
            entry -> {
              assertThat(entry.claimedAt).isNotNegative();
              assertThat(entry.claimedAt - entry.visibleAt).isLessThan(2 * SECOND);
            });
  }

  @Test
  void claimsHardlyWalkOverDeadEntriesHoweverManyThereAre() {
    long walked = 0;
    int claims = 0;
    for (int i = 0; i < 20_000; i++) {
      entries.add(new Entry(0, 0));
    }
    now = SECOND;
    for (int i = 0; i < 20_000; i++) {
      entries.set(i, new Entry(i * 1000L, 0));
    }

    while (entries.stream().anyMatch(entry -> entry.claimedAt < 0)) {
      walked += Math.max(0, claim(100));
      claims++;
      now += 4 * MILLISECOND;
    }

    assertThat(claims).isEqualTo(200);
    assertThat(walked / claims).as("dead entries a claim").isLessThan(2500);
  }

  @Test
  void aServerClockThatWentBackHidesNoJob() {
    now = 1000 * SECOND;
    claim(10);
    now += SECOND;
    claim(10);
    now += SECOND;

    ClaimStart.Since since = start.next(now);
    start.done(since, new ClaimStart.Seen.Everything(5), now, MILLISECOND);

    for (int i = 0; i < 20; i++) {
      assertThat(start.next(now + i).micros()[0]).isLessThanOrEqualTo(5);
    }
  }
}
