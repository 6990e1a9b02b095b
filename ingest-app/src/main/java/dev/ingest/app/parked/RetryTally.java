package dev.ingest.app.parked;

/**
 * What became of parked events that were tried again. Immutable.
 *
 * @param stored stored now, or found to be there
 * @param parkedAgain refused again; the last reason is theirs
 * @param passedOver gone, discarded or stored meanwhile, or kept in Kafka alone
 * @param kept not tried, or to no end: their route can't be written now; tried again later
 */
public record RetryTally(long stored, long parkedAgain, long passedOver, long kept) {
  public static final RetryTally NONE = new RetryTally(0, 0, 0, 0);

  /** Both together. */
  public RetryTally plus(RetryTally other) {
    return new RetryTally(
        stored + other.stored,
        parkedAgain + other.parkedAgain,
        passedOver + other.passedOver,
        kept + other.kept);
  }

  public long events() {
    return stored + parkedAgain + passedOver + kept;
  }
}
