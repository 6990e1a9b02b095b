package dev.ingest.plan;

import static dev.ingest.plan.FaultKind.BAD_EVENT;
import static dev.ingest.plan.FaultKind.CONNECTION;
import static dev.ingest.plan.FaultKind.ENVIRONMENT;
import static dev.ingest.plan.FaultKind.LOCK_TABLE_FULL;
import static dev.ingest.plan.FaultKind.PROGRAM;
import static dev.ingest.plan.FaultKind.STALE_PLAN;
import static dev.ingest.plan.FaultKind.TRANSIENT;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one table from SQLSTATE to {@link FaultKind}, never by message text. A full state wins over
 * its class (the first two characters); what is in neither is {@link FaultKind#PROGRAM}. Stateless,
 * safe from any thread.
 *
 * <p>Source: PostgreSQL manual, appendix A. The line between event and environment: an event is at
 * fault when another event would be stored by the same statement at the same moment. What hits
 * every event alike is the environment's fault.
 */
public final class SqlStatePolicy {
  private static final Map<String, Rule> TABLE = table();
  private static final Rule UNKNOWN = new Rule(PROGRAM, true);

  private SqlStatePolicy() {}

  /**
   * The kind of fault when the failed statement carried events, or was their COMMIT.
   *
   * @param sqlState as the driver gave it. None at all (null or empty) is a {@link
   *     FaultKind#CONNECTION} fault: the server always sends one, so nothing came from a server. A
   *     pool says so when it has no connection to give.
   */
  public static FaultKind of(@Nullable String sqlState) {
    return rule(sqlState).kind();
  }

  /**
   * The kind of fault when the failed statement carried no event (session setup, locks, transaction
   * id, the search's own questions): no event can be at fault there, so {@link FaultKind#BAD_EVENT}
   * becomes {@link FaultKind#ENVIRONMENT}. Example: 54000 is also raised for every new transaction
   * id shortly before wraparound.
   */
  public static FaultKind withoutEvents(@Nullable String sqlState) {
    FaultKind kind = of(sqlState);
    return kind == BAD_EVENT ? ENVIRONMENT : kind;
  }

  /** True if the session may be broken or of no more use, so that no pool may hand it out again. */
  public static boolean mustEvict(@Nullable String sqlState) {
    return rule(sqlState).evict();
  }

  /**
   * Whether a statement that was prepared under a name is unknown, or known as another's: a pooler
   * between us and the server hands out another session from transaction to transaction.
   */
  public static boolean losesNames(@Nullable String sqlState) {
    return "26000".equals(sqlState) || "42P05".equals(sqlState);
  }

  private static Rule rule(@Nullable String sqlState) {
    if (sqlState == null || sqlState.isEmpty()) {
      return new Rule(CONNECTION, true);
    }
    if (sqlState.length() != 5) {
      return UNKNOWN;
    }
    Rule ofClass = TABLE.getOrDefault(sqlState.substring(0, 2), UNKNOWN);
    return TABLE.getOrDefault(sqlState, ofClass);
  }

  private static Map<String, Rule> table() {
    Rules rules = new Rules();

    // Whole transaction again.
    rules.keep(TRANSIENT, "40"); // transaction rollback: serialization, deadlock
    rules.keep(TRANSIENT, "55P03", "55006"); // lock not available, object in use
    rules.keep(TRANSIENT, "57014"); // canceled: our statement timeout, or an operator's cancel
    rules.keep(TRANSIENT, "72"); // snapshot too old, up to PostgreSQL 16

    // New session.
    rules.drop(CONNECTION, "08"); // connection exception, also what a pooler reports as 08P01
    rules.drop(CONNECTION, "57"); // operator intervention: shutdown, starting, dropped, idle
    rules.drop(CONNECTION, "53300"); // too many connections
    rules.drop(CONNECTION, "40003"); // completion unknown, as after a lost COMMIT reply
    rules.drop(CONNECTION, "25006"); // read-only: the server became a standby or was set so
    rules.drop(CONNECTION, "25P02"); // an earlier error still holds the transaction
    rules.drop(CONNECTION, "25P03", "25P04"); // session ended: idle in, or too long a, transaction

    // Prepare again. 0A000 is also "feature not supported", hence the bound on repeats.
    rules.keep(STALE_PLAN, "0A000", "26000");
    rules.drop(STALE_PLAN, "42P05"); // name already prepared: a pooler gave us another's backend

    rules.keep(LOCK_TABLE_FULL, "53200"); // out of (shared) memory

    // The server: resources, files, settings, defects. XX is a defect or corruption of the server:
    // waiting for the repair loses nothing, while parking or stopping would outlast it.
    rules.keep(ENVIRONMENT, "53"); // disk full, temporary file limit
    rules.keep(ENVIRONMENT, "55"); // not in the required state: in recovery, not populated
    rules.drop(ENVIRONMENT, "55000"); // also the driver's word for a closed statement
    rules.drop(ENVIRONMENT, "58", "F0", "XX");
    rules.keep(ENVIRONMENT, "HV"); // foreign data wrapper: the server behind the server

    // Login, role, database, schema, privilege.
    rules.drop(ENVIRONMENT, "28", "3D", "0P");
    rules.keep(ENVIRONMENT, "3F");
    rules.keep(ENVIRONMENT, "42501"); // where a policy refuses a row, the store finds that out

    // The schema is not what our statement was built for: missing, ambiguous, of another type.
    rules.keep(ENVIRONMENT, "42P01", "42703", "42704", "42883"); // table, column, type, function
    rules.keep(ENVIRONMENT, "42702", "42725"); // ambiguous column, function
    rules.keep(ENVIRONMENT, "42804", "42846", "42809", "428C9"); // type, cast, view, generated
    rules.keep(ENVIRONMENT, "42P10"); // no unique index for ON CONFLICT
    rules.keep(ENVIRONMENT, "42P17", "42P21", "42P22"); // endless rule or policy, collations
    rules.keep(ENVIRONMENT, "2200H"); // the table's sequence is used up: every row would fail

    // The user's trigger or function is broken, whatever the row: may not write, ends the
    // transaction, returns nothing, changes the row under the statement.
    rules.keep(ENVIRONMENT, "27", "2D", "2F", "38", "39");

    // The event's values.
    rules.keep(BAD_EVENT, "22"); // data exception: text, number, date, JSON, encoding
    rules.keep(BAD_EVENT, "23", "40002", "44"); // constraint, also deferred; view's check option
    rules.keep(BAD_EVENT, "54"); // program limit: index row too long, JSON too deep or too large

    // The user's trigger or function refuses the row: RAISE, STRICT, ASSERT, subquery or CASE that
    // finds none or too many, an exception in another language. If it refuses every row, the limit
    // on the share of bad events pauses instead of parking on.
    rules.keep(BAD_EVENT, "P0", "09", "10", "20", "21", "38000");
    rules.keep(BAD_EVENT, "39004"); // null where the function takes none

    // Ours, though the class is another's: COPY and binary format, parameters, arguments.
    rules.drop(PROGRAM, "22P03", "22P04", "54011", "54023", "55P02");
    return Map.copyOf(rules.byState);
  }

  private record Rule(FaultKind kind, boolean evict) {}

  /** Rows of the table: {@code keep} the session, or {@code drop} it. A state stands once. */
  private static final class Rules {
    private final Map<String, Rule> byState = new HashMap<>();

    void keep(FaultKind kind, String... states) {
      put(new Rule(kind, false), states);
    }

    void drop(FaultKind kind, String... states) {
      put(new Rule(kind, true), states);
    }

    private void put(Rule rule, String... states) {
      for (String state : states) {
        if (byState.put(state, rule) != null) {
          throw new IllegalStateException("SQLSTATE " + state + " has two rules.");
        }
      }
    }
  }
}
