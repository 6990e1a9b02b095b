package dev.ingest.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobsInHandTest {
  private static final Set<Long> NONE = Set.of();

  private final JobsInHand hand = new JobsInHand(3);

  private static Job job(long id) {
    return new Job(
        id,
        "q",
        Priority.NORMAL,
        null,
        new byte[0],
        Map.of(),
        1,
        10,
        Instant.EPOCH,
        Instant.EPOCH,
        Job.Hold.LEASE);
  }

  @Test
  void aJobIsBegunOnceAndOnlyUnderItsLease() {
    List<JobsInHand.Held> held = hand.claimed(List.of(job(1), job(2)), 100);

    assertThat(hand.begin(held.get(0), 99)).isTrue();
    assertThat(hand.begin(held.get(0), 99)).isFalse();
    assertThat(hand.begin(held.get(1), 100)).isFalse();

    assertThat(hand.size()).isEqualTo(1);
  }

  @Test
  void theFirstTheQuorumAndTheLastOutcomeAreNews() {
    List<JobsInHand.Held> held = hand.claimed(List.of(job(1), job(2), job(3), job(4), job(5)), 100);
    held.forEach(each -> hand.begin(each, 0));

    assertThat(held.stream().map(hand::done)).containsExactly(true, false, true, false, true);

    hand.recorded(hand.due(), NONE, 0);
    assertThat(hand.size()).isZero();
  }

  @Test
  void anUnconfirmedClaimIsRunOnlyOnceItIsKnownToBeOurs() {
    hand.claimedPerhaps(List.of(job(1), job(2)), 100);
    assertThat(hand.leased()).isEmpty();
    assertThat(hand.waiting()).isZero();

    List<JobsInHand.Held> ours = hand.recorded(hand.due(), Set.of(2L), 200);

    assertThat(ours).extracting(held -> held.job().id()).containsExactly(2L);
    assertThat(hand.begin(ours.get(0), 150)).isTrue();
    assertThat(hand.size()).isEqualTo(1);
  }

  @Test
  void outcomesAreKeptUntilTheyAreRecorded() {
    JobsInHand.Held held = hand.claimed(List.of(job(1)), 100).get(0);
    hand.begin(held, 0);
    hand.done(held);

    hand.recordedPerhaps(hand.due());

    assertThat(hand.due().done()).singleElement().matches(JobsInHand.Held::outcomeSent);
  }

  @Test
  void jobsGivenBackAreForgottenWhenTheReplyIsLostForSomebodyMayHaveThem() {
    hand.claimed(List.of(job(1)), 100);
    hand.stop();
    assertThat(hand.due().untried()).hasSize(1);
    assertThat(hand.leased()).as("given back, not prolonged").isEmpty();

    hand.recordedPerhaps(hand.due());

    assertThat(hand.size()).isZero();
  }

  @Test
  void afterTheStopNothingBegins() {
    JobsInHand.Held held = hand.claimed(List.of(job(1)), 100).get(0);

    hand.stop();

    assertThat(hand.begin(held, 0)).isFalse();
  }

  @Test
  void aLostLeaseIsLetGo() {
    List<Job> jobs = List.of(job(1), job(2));
    List<JobsInHand.Held> held = hand.claimed(jobs, 100);
    hand.begin(held.get(0), 0);

    assertThat(hand.extended(hand.leased(), Set.of(2L), 200)).isEqualTo(1);

    assertThat(hand.leased()).extracting(each -> each.job().id()).containsExactly(2L);
    assertThat(hand.begin(held.get(1), 150)).isTrue();
  }

  @Test
  void aJobThatWasLostAndClaimedAgainIsKeptWhenTheLossIsTold() {
    JobsInHand.Held lost = hand.claimed(List.of(job(1)), 100).get(0);
    hand.begin(lost, 0);
    List<JobsInHand.Held> asked = hand.leased();
    JobsInHand.Held again = hand.claimed(List.of(job(1)), 200).get(0);

    assertThat(hand.extended(asked, NONE, 200)).isZero();

    assertThat(hand.begin(again, 150)).isTrue();
    assertThat(hand.done(lost)).as("no outcome of ours").isFalse();
    assertThat(hand.done(again)).isTrue();
    assertThat(hand.due().done()).containsExactly(again);
  }

  @Test
  void jobsGivenBackAreNotToldAsLost() {
    List<JobsInHand.Held> held = hand.claimed(List.of(job(1), job(2)), 100);
    hand.begin(held.get(0), 0);
    hand.stop();
    JobsInHand.Due due = hand.due();
    List<JobsInHand.Held> leased = hand.leased();

    assertThat(due.untried()).containsExactly(held.get(1));
    assertThat(leased).containsExactly(held.get(0));
    assertThat(hand.extended(leased, Set.of(1L), 200)).isZero();
  }

  @Test
  void anOutcomeWhoseJobWasLostAndClaimedAgainIsCountedNoMore() {
    JobsInHand.Held lost = hand.claimed(List.of(job(1)), 100).get(0);
    hand.begin(lost, 0);
    assertThat(hand.done(lost)).isTrue();
    JobsInHand.Due due = hand.due();
    List<JobsInHand.Held> held = hand.claimed(List.of(job(1), job(2), job(3), job(4)), 200);
    held.forEach(each -> hand.begin(each, 0));

    assertThat(hand.done(held.get(0))).as("the first that counts").isTrue();
    hand.recorded(due, NONE, 0);

    assertThat(held.stream().skip(1).map(hand::done)).containsExactly(false, true, true);
    hand.recorded(hand.due(), NONE, 0);
    assertThat(hand.size()).isZero();
  }

  @Test
  void outcomesOfLostJobsAreNotCounted() {
    List<Job> jobs = List.of(job(1), job(2), job(3), job(4));
    List<JobsInHand.Held> held = hand.claimed(jobs, 100);
    held.forEach(each -> hand.begin(each, 0));
    List<JobsInHand.Held> asked = hand.leased();
    assertThat(hand.done(held.get(0))).isTrue();
    hand.extended(asked, Set.of(3L, 4L), 200);
    assertThat(hand.done(held.get(1))).isFalse();

    assertThat(hand.done(held.get(2))).as("the first that counts").isTrue();
  }
}
