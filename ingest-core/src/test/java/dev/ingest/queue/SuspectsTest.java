package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuspectsTest {
  private final Suspects suspects = new Suspects();

  private static Job job(long id) {
    return new Job(
        id,
        "q",
        Priority.NORMAL,
        null,
        new byte[0],
        Map.of(),
        0,
        10,
        Instant.EPOCH,
        Instant.EPOCH,
        Job.Hold.TRANSACTION);
  }

  @Test
  void aSecondFailureCountsWhereAnotherWentThroughSinceTheFirst() {
    suspects.passed(List.of(job(2)));
    assertThat(suspects.refused(1)).as("who knows").isOne();

    suspects.passed(List.of(job(3), job(4)));
    assertThat(suspects.refused(1)).as("others pass").isZero();

    assertThat(suspects.refused(1)).as("nobody passed since").isOne();
    suspects.passed(List.of(job(5)));
    assertThat(suspects.refused(1)).isZero();
  }

  @Test
  void anOutageThatAllMeetCountsAgainstNone() {
    for (int round = 1; round <= 20; round++) {
      for (long id = 1; id <= 50; id++) {
        assertThat(suspects.refused(id)).isEqualTo(round);
      }
    }
    suspects.passed(LongStream.rangeClosed(1, 50).mapToObj(SuspectsTest::job).toList());

    assertThat(suspects.refused(7)).as("forgotten").isOne();
  }

  @Test
  void aJobWithoutOthersCountsAtEveryFifthFailure() {
    for (int attempt = 1; attempt <= 3; attempt++) {
      for (int tries = 1; tries < Suspects.ALONE; tries++) {
        assertThat(suspects.refused(1)).isEqualTo(tries);
      }
      assertThat(suspects.refused(1)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 1500})
  void jobsThatAllFailEndSomeDay(int jobs) {
    long counted =
        LongStream.range(0, 3L * jobs * Suspects.AMONG_OTHERS)
            .filter(i -> suspects.refused(i % jobs) == 0)
            .count();

    assertThat(counted).isEqualTo(3L * jobs);
  }

  @Test
  void ofMoreJobsThanCanBeKeptInMindEachIsCounted() {
    long jobs = Suspects.REMEMBERED + 1L;
    LongStream.range(0, jobs).forEach(suspects::refused);

    assertThat(LongStream.range(0, jobs).filter(job -> suspects.refused(job) == 0).count())
        .isEqualTo(jobs);
  }

  @Test
  void whatMayBeOverAtTheNextTryIsNotJudgedByThoseThatGoThrough() {
    for (int tries = 1; tries < Suspects.ALONE; tries++) {
      assertThat(suspects.refusedInPassing(1)).isEqualTo(tries);
      suspects.passed(List.of(job(2)));
    }

    assertThat(suspects.refusedInPassing(1)).as("but not for ever").isZero();
    assertThat(suspects.refusedInPassing(1)).isOne();
  }

  @Test
  void nothingIsHeldAgainstAJobWhereTheServerTookNoWriteOfOurs() {
    suspects.refused(1);
    suspects.passed(List.of(job(2)));
    suspects.clear(1);

    assertThat(suspects.refused(1)).isOne();
  }
}
