package dev.ingest.postgres;

import dev.ingest.mapping.ColumnType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A column as the catalog has it. Immutable.
 *
 * @param deterministic whether its collation tells all texts apart; so where it has none
 * @param origin who makes its values beside us
 * @param defaultSql SQL of its default, qualified; null where there is none
 * @param insertable whether our role may write it
 * @param selectable whether our role may read it
 * @param updatable whether our role may change it
 */
record CatalogColumn(
    String name,
    Type type,
    boolean deterministic,
    boolean notNull,
    Origin origin,
    @Nullable String defaultSql,
    boolean insertable,
    boolean selectable,
    boolean updatable) {

  /**
   * A column's type.
   *
   * @param castName without length or precision, qualified where it is not built in: a cast to it
   *     neither cuts nor rounds
   * @param fullName with length and precision
   * @param rule what it does to values
   * @param altering why no value is safe in it; empty for nearly all types
   */
  record Type(String castName, String fullName, ColumnType rule, String altering) {}

  /** Who makes a column's values. */
  enum Origin {
    PLAIN,
    IDENTITY_BY_DEFAULT,
    IDENTITY_ALWAYS,
    GENERATED
  }

  Optional<String> defaultExpression() {
    return Optional.ofNullable(defaultSql);
  }

  /** Whether a sequence gives it its value where a row does not: identity, or {@code nextval}. */
  boolean isFromSequence() {
    return defaultSql != null && defaultSql.contains("nextval(");
  }

  /** Whether a row may leave it out. */
  boolean isOptional() {
    return !notNull || defaultSql != null || origin != Origin.PLAIN;
  }
}
