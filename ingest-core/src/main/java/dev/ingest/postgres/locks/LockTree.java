package dev.ingest.postgres.locks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Blockers and those who wait for them, roots first. Every session stands once: below the first of
 * its blockers in the order of the tree. Immutable.
 *
 * @param roots those that wait for nobody, with the most waiters below them first
 */
public record LockTree(List<Node> roots) {
  public LockTree {
    roots = List.copyOf(roots);
  }

  /**
   * A session and those below it.
   *
   * @param inCycle a root that waits for one of its own waiters: a deadlock that the server is
   *     about to break
   */
  public record Node(LockSession session, boolean inCycle, List<Node> waiters) {
    public Node {
      waiters = List.copyOf(waiters);
    }

    /** How many wait below it, at any depth. */
    public int waiting() {
      return waiters.stream().mapToInt(waiter -> 1 + waiter.waiting()).sum();
    }
  }

  /** Builds the tree. Blockers that are not among the sessions are passed over. */
  public static LockTree of(Collection<LockSession> sessions) {
    return new Builder(sessions).build();
  }

  private static final class Builder {
    private final Map<Integer, LockSession> byPid = new HashMap<>();
    private final Map<Integer, List<LockSession>> waiters = new HashMap<>();
    private final Set<Integer> placed = new HashSet<>();

    Builder(Collection<LockSession> sessions) {
      sessions.forEach(session -> byPid.put(session.pid(), session));
      for (LockSession session : inOrder()) {
        for (int blocker : session.blockedBy()) {
          waiters.computeIfAbsent(blocker, pid -> new ArrayList<>()).add(session);
        }
      }
    }

    private List<LockSession> inOrder() {
      return byPid.values().stream().sorted(Comparator.comparingInt(LockSession::pid)).toList();
    }

    LockTree build() {
      List<Node> roots = new ArrayList<>();
      for (LockSession session : inOrder()) {
        if (session.blockedBy().stream().noneMatch(byPid::containsKey)) {
          roots.add(node(session, false));
        }
      }
      for (LockSession session : inOrder()) {
        if (!placed.contains(session.pid())) {
          roots.add(node(session, true));
        }
      }
      roots.sort(Comparator.comparingInt(Node::waiting).reversed());
      return new LockTree(roots);
    }

    private Node node(LockSession session, boolean inCycle) {
      placed.add(session.pid());
      List<Node> below = new ArrayList<>();
      for (LockSession waiter : waiters.getOrDefault(session.pid(), List.of())) {
        if (!placed.contains(waiter.pid())) {
          below.add(node(waiter, false));
        }
      }
      return new Node(session, inCycle, below);
    }
  }
}
