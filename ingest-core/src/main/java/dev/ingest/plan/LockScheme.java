package dev.ingest.plan;

/**
 * Which advisory lock stands for a key. Immutable.
 *
 * @param mode how a hash becomes a lock
 * @param stripes number of locks in mode {@code STRIPE}, at least 1; unused otherwise
 */
public record LockScheme(Mode mode, int stripes) {
  /** How a hash becomes a lock. */
  public enum Mode {
    /** One lock for each hash: the id that {@code pg_advisory_xact_lock(hashtext(key))} takes. */
    KEY,
    /** Several hashes share a lock (composite hashing): fewer locks, more waiting. */
    STRIPE,
    /** No lock: the unique index alone keeps keys apart. */
    NONE
  }

  public LockScheme {
    if (stripes < 1) {
      throw new IllegalArgumentException("stripes=" + stripes + " is below 1");
    }
  }

  public static LockScheme perKey() {
    return new LockScheme(Mode.KEY, 1);
  }

  public static LockScheme striped(int stripes) {
    return new LockScheme(Mode.STRIPE, stripes);
  }

  public static LockScheme none() {
    return new LockScheme(Mode.NONE, 1);
  }

  /**
   * The lock id of a hash; in mode {@code KEY} the signed hash itself, in {@code STRIPE} from 0.
   */
  public int lockId(int hash) {
    return mode == Mode.STRIPE ? Math.floorMod(hash, stripes) : hash;
  }
}
