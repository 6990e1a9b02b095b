package dev.ingest.postgres;

import dev.ingest.mapping.ColumnType;
import dev.ingest.mapping.ColumnType.Kind;
import java.util.Map;

/**
 * Built-in types by their OID, which no release changes (src/include/catalog/pg_type.dat). What is
 * not here is left to its input function.
 */
final class CatalogTypes {
  private static final int CHAR = 1042;
  private static final int VARCHAR = 1043;
  private static final int NUMERIC = 1700;
  private static final int INTERVAL = 1186;

  /** Bytes that a length or precision is stored with beside itself. */
  private static final int HEADER = 4;

  private static final Map<Integer, Kind> KINDS =
      Map.ofEntries(
          Map.entry(25, Kind.TEXT),
          Map.entry(CHAR, Kind.CHAR),
          Map.entry(VARCHAR, Kind.TEXT),
          Map.entry(114, Kind.JSON),
          Map.entry(3802, Kind.JSON),
          Map.entry(21, Kind.INTEGER),
          Map.entry(23, Kind.INTEGER),
          Map.entry(20, Kind.INTEGER),
          Map.entry(NUMERIC, Kind.NUMERIC),
          Map.entry(700, Kind.REAL),
          Map.entry(701, Kind.DOUBLE),
          Map.entry(1184, Kind.TIMESTAMPTZ),
          Map.entry(1114, Kind.TIMESTAMP),
          Map.entry(1082, Kind.DATE),
          Map.entry(1083, Kind.TIME),
          Map.entry(1266, Kind.TIMETZ),
          Map.entry(INTERVAL, Kind.INTERVAL),
          Map.entry(17, Kind.BYTES),
          Map.entry(2950, Kind.UUID));

  /** Types that silently alter what they are given, and what to use instead. */
  private static final Map<Integer, String> ALTERING =
      Map.of(
          18, "\"char\" keeps one byte of a text; use text",
          19, "name cuts texts off after 63 bytes; use text",
          790, "money rounds, and depends on the server's locale; use numeric");

  private CatalogTypes() {}

  /**
   * @param oid of the type; for a domain of what it is based on
   * @param modifier {@code atttypmod}, -1 for none
   * @param element OID of an array's element type, 0 for no array
   */
  static ColumnType of(int oid, int modifier, int element) {
    if (element != 0) {
      return ColumnType.arrayOf(of(element, modifier, 0));
    }
    Kind kind = KINDS.getOrDefault(oid, Kind.OTHER);
    return modifier < 0 ? ColumnType.of(kind) : ColumnType.of(kind, limit(oid, modifier));
  }

  private static int limit(int oid, int modifier) {
    return switch (oid) {
      case CHAR, VARCHAR -> modifier - HEADER;
      case NUMERIC -> ((modifier - HEADER & 0x7ff) ^ 1024) - 1024;
      case INTERVAL -> (modifier & 0xffff) == 0xffff ? ColumnType.NONE : modifier & 0xffff;
      case 1184, 1114, 1083, 1266 -> modifier;
      default -> ColumnType.NONE;
    };
  }

  /**
   * Why values of this type would be altered; empty where they are not.
   *
   * @param element OID of an array's element type, 0 for no array
   */
  static String altering(int oid, int element) {
    return ALTERING.getOrDefault(element == 0 ? oid : element, "");
  }
}
