package dev.ingest.app.cli;

import dev.ingest.postgres.locks.LockReport;
import dev.ingest.postgres.locks.LockSession;
import dev.ingest.postgres.locks.LockTree;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A report of locks for people. */
final class LocksText {
  private static final int LONGEST_QUERY = 160;

  private final StringBuilder text = new StringBuilder();

  private LocksText() {}

  static String of(LockReport report) {
    LocksText text = new LocksText();
    text.totals(report);
    report.tree().roots().forEach(root -> text.node(root, "", ""));
    text.advice(report.tree().roots());
    return text.text.toString();
  }

  private void totals(LockReport report) {
    int waiting = report.tree().roots().stream().mapToInt(LockTree.Node::waiting).sum();
    text.append(
        String.format(
            Locale.ROOT,
            "database %s: %d waiting, %d deadlocks so far, shared lock table %,d of at least %,d (%.1f %%)%n",
            report.database(),
            waiting,
            report.deadlocks(),
            report.lockTableUsed(),
            report.lockTableSize(),
            100 * report.fill()));
    if (report.tree().roots().isEmpty()) {
      text.append("Nobody waits for a lock.").append(System.lineSeparator());
    }
  }

  private void node(LockTree.Node node, String first, String others) {
    LockSession session = node.session();
    line(first, headline(node));
    if (session.waitsFor() != null) {
      line(others, "  waits for " + session.waitsFor());
    }
    for (String held : session.holds()) {
      line(others, "  holds " + held);
    }
    if (session.query() != null) {
      line(others, "  " + shortened(session.query()));
    }
    List<LockTree.Node> waiters = node.waiters();
    for (int i = 0; i < waiters.size(); i++) {
      boolean last = i == waiters.size() - 1;
      node(waiters.get(i), others + (last ? "└─ " : "├─ "), others + (last ? "   " : "│  "));
    }
  }

  private void line(String indent, String content) {
    text.append(indent).append(content).append(System.lineSeparator());
  }

  private static String headline(LockTree.Node node) {
    LockSession session = node.session();
    StringBuilder line = new StringBuilder("pid " + session.pid());
    line.append(' ').append(named(session.application(), "without application name"));
    line.append(", user ").append(named(session.user(), "unknown"));
    line.append(", ").append(named(session.state(), "state unknown"));
    if (session.waitEvent() != null) {
      line.append(" (").append(session.waitEvent()).append(')');
    }
    if (session.transactionSeconds() != null) {
      line.append(", in a transaction for ").append(age(session.transactionSeconds()));
    }
    if (node.inCycle()) {
      line.append(", DEADLOCK: it waits for one of its own waiters");
    } else if (session.blockedBy().isEmpty()) {
      line.append(", ROOT of ").append(node.waiting()).append(" waiting");
    }
    return line.toString();
  }

  private static String named(@Nullable String name, String otherwise) {
    return name == null || name.isEmpty() ? otherwise : name;
  }

  private static String age(double seconds) {
    long whole = (long) seconds;
    if (whole < 60) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    return whole < 3600
        ? whole / 60 + " min " + whole % 60 + " s"
        : whole / 3600 + " h " + whole / 60 % 60 + " min";
  }

  private static String shortened(String query) {
    return query.length() <= LONGEST_QUERY ? query : query.substring(0, LONGEST_QUERY) + "…";
  }

  private void advice(List<LockTree.Node> roots) {
    if (!roots.isEmpty() && roots.get(0).session().pid() > 0) {
      text.append("To let them go on, end the root's transaction, or:  ingest locks --terminate ");
      text.append(roots.get(0).session().pid()).append(System.lineSeparator());
    }
  }
}
