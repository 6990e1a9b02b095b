package dev.ingest.postgres.locks;

import dev.ingest.plan.HashText;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Says in words what a row of pg_locks is about. */
final class LockName {
  private static final int INGEST = HashText.hash("ingest");
  private static final int MIGRATE = HashText.hash("migrate");

  private final OptionalInt namespace;

  /**
   * @param namespace first integer of our advisory locks; empty: they have the one-argument form
   */
  LockName(OptionalInt namespace) {
    this.namespace = namespace;
  }

  /**
   * @param object the relation or transaction, where the lock is on one
   * @param classId high half of the key, as unsigned number
   * @param objectId low half of the key, as unsigned number
   * @param form 1 or 2 arguments
   */
  String of(
      String type, String mode, @Nullable String object, long classId, long objectId, int form) {
    return switch (type) {
      case "advisory" -> advisory(classId, objectId, form);
      case "transactionid" -> "a row changed by transaction " + object;
      case "virtualxid" -> "the end of virtual transaction " + object;
      case "tuple" -> "its turn for a row of " + object;
      default -> mode + " on " + type + (object == null ? "" : " " + object);
    };
  }

  private String advisory(long classId, long objectId, int form) {
    if (form == 2) {
      return pair((int) classId, (int) objectId);
    }
    long key = (classId << Integer.SIZE) | objectId;
    boolean isHash = key == (int) key;
    return isHash && namespace.isEmpty()
        ? "the lock of business keys with hashtext " + key
        : "advisory lock " + key;
  }

  private String pair(int first, int second) {
    if (first == INGEST && second == MIGRATE) {
      return "the turn to migrate the schema";
    }
    return namespace.isPresent() && namespace.getAsInt() == first
        ? "the lock of business keys with hashtext " + second
        : "advisory lock (" + first + ", " + second + ")";
  }
}
