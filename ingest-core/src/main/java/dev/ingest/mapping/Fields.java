package dev.ingest.mapping;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one pass over a JSON document found at the pointers that were asked for, by slot. A scratch
 * pad that is filled anew for each event; single-threaded.
 */
public final class Fields {
  /** What stands at a pointer. */
  public enum State {
    /** The document has nothing there. */
    ABSENT,
    NULL,
    STRING,
    NUMBER,
    BOOLEAN,
    /** An object or an array. */
    STRUCTURE
  }

  private final State[] states;
  private final @Nullable String[] texts;

  /** For each node of the pointers' tree the document in which it was last met. */
  private final int[] met;

  private int document;

  Fields(int slots, int nodes) {
    states = new State[slots];
    texts = new String[slots];
    met = new int[nodes];
    clear();
  }

  /** Nothing is there: what a record without a payload holds. */
  void clear() {
    Arrays.fill(states, State.ABSENT);
    Arrays.fill(texts, null);
    document++;
  }

  /** Notes that the document has this node; false where it did already. */
  boolean meet(int node) {
    boolean first = met[node] != document;
    met[node] = document;
    return first;
  }

  void put(int slot, State state, @Nullable String text) {
    states[slot] = state;
    texts[slot] = text;
  }

  public State state(int slot) {
    return states[slot];
  }

  /**
   * A string's characters, a number's digits as they are written, {@code true} or {@code false}, or
   * the JSON text of a structure; for a slot that wants JSON the JSON text whatever it is. Null
   * where the value is absent or null.
   */
  public @Nullable String text(int slot) {
    return texts[slot];
  }
}
