package dev.ingest.sim;

import dev.ingest.pipeline.EventStore.TransactionStatus;
import dev.ingest.pipeline.FaultInjection;
import dev.ingest.plan.FaultKind;
import dev.ingest.plan.SqlStatePolicy;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Faults of every kind but that of the program, at every point of a store. */
final class RandomFaults implements FaultInjection {
  /** More stale plans in a row are no stale plans, and the consumer may stop. */
  private static final int STALE_PLANS_IN_A_ROW = 3;

  private static final List<String> AT_CONNECT =
      List.of("08001", "08006", "57P03", "53300", "28P01", "3D000", "");
  private static final List<String> WITHOUT_EVENTS = List.of("57014", "08006", "57P01", "XX000");
  private static final List<String> AT_LOCK =
      List.of("40P01", "55P03", "53200", "53200", "57014", "08006", "26000", "25P03");
  private static final List<String> AT_INSERT =
      List.of("40001", "40P01", "53100", "42P01", "42501", "25006", "0A000", "23505", "57P01");
  private static final List<String> AT_COMMIT = List.of("40001", "53100", "23514", "57P01");

  private final RandomGenerator random;
  private final int perThousand;
  private int stalePlans;

  RandomFaults(RandomGenerator random, int perThousand) {
    this.random = random;
    this.perThousand = perThousand;
  }

  @Override
  public @Nullable Injected at(Point point) {
    if (perThousand == 0 || random.nextInt(1000) >= perThousand) {
      stalePlans = point == Point.COMMITTED ? 0 : stalePlans;
      return null;
    }
    if (random.nextInt(20) == 0) {
      throw new Crash();
    }
    return switch (point) {
      case CONNECT -> one(AT_CONNECT);
      case HASH, STATUS -> one(WITHOUT_EVENTS);
      case LOCK -> one(AT_LOCK);
      case INSERT -> one(AT_INSERT);
      case COMMIT -> random.nextBoolean() ? lostReply() : one(AT_COMMIT);
      case COMMITTED -> null;
    };
  }

  private @Nullable Injected one(List<String> states) {
    String state = states.get(random.nextInt(states.size()));
    if (SqlStatePolicy.of(state) != FaultKind.STALE_PLAN) {
      stalePlans = 0;
      return new SqlState(state);
    }
    return stalePlans++ < STALE_PLANS_IN_A_ROW ? new SqlState(state) : null;
  }

  private Injected lostReply() {
    TransactionStatus fate =
        random.nextBoolean() ? TransactionStatus.COMMITTED : TransactionStatus.ABORTED;
    return new LostReply(fate, random.nextInt(3) == 0);
  }
}
