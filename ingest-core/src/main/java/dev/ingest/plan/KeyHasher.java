package dev.ingest.plan;

import java.util.List;

/**
 * PostgreSQL's {@code hashtext} of many keys: computed here, or by the server where they differ.
 */
@FunctionalInterface
public interface KeyHasher {
  /** Hashes in the order of the keys. */
  int[] hash(List<String> keys);
}
