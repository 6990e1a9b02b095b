package dev.ingest.app.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The order in which contestants run, so that a drift of the machine meets all of them alike. */
public final class Rounds {
  private Rounds() {}

  /**
   * Forwards in odd rounds, backwards in even ones.
   *
   * @param round from 1
   */
  public static <T> List<T> inTurn(List<T> contestants, int round) {
    List<T> turn = new ArrayList<>(contestants);
    if (round % 2 == 0) {
      Collections.reverse(turn);
    }
    return turn;
  }
}
