package dev.ingest.postgres;

import dev.ingest.plan.FaultKind;
import dev.ingest.plan.PrefixSearch;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Keys hashed by the server, where it does not hash like us. Ends its transactions. */
final class ServerHashes {
  private ServerHashes() {}

  /** In array order. */
  static int[] of(Session session, List<String> keys) throws SQLException {
    try {
      int[] hashes = ServerFacts.hash(session.connection(), keys);
      session.connection().commit();
      return hashes;
    } catch (SQLException refused) {
      if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
        throw refused;
      }
      session.rollback();
      return hashAroundUnfit(session, keys);
    }
  }

  /**
   * Some keys have no form in the database's encoding. They get hash 0 and are refused with their
   * rows, where the search for bad events finds them.
   */
  private static int[] hashAroundUnfit(Session session, List<String> keys) throws SQLException {
    List<Integer> positions = IntStream.range(0, keys.size()).boxed().toList();
    List<PrefixSearch.Found<Integer, SQLException>> unfit =
        PrefixSearch.run(
            positions, some -> refusal(session, some.stream().map(keys::get).toList()));
    List<Integer> bad = unfit.stream().map(PrefixSearch.Found::item).toList();
    List<Integer> good = positions.stream().filter(i -> !bad.contains(i)).toList();
    int[] hashes = new int[keys.size()];
    int[] known = ServerFacts.hash(session.connection(), good.stream().map(keys::get).toList());
    session.connection().commit();
    IntStream.range(0, good.size()).forEach(i -> hashes[good.get(i)] = known[i]);
    return hashes;
  }

  private static Optional<SQLException> refusal(Session session, List<String> keys) {
    try {
      ServerFacts.hash(session.connection(), keys);
      return Optional.empty();
    } catch (SQLException refused) {
      if (SqlFaults.kind(refused) != FaultKind.BAD_EVENT) {
        throw SqlFaults.of(refused);
      }
      return Optional.of(refused);
    } finally {
      session.rollback();
    }
  }
}
