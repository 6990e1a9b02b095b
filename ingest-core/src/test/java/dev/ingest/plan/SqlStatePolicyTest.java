package dev.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** I8 in one table: which states are an event's fault. */
class SqlStatePolicyTest {
  /**
   * Every state of PostgreSQL 18's appendix A, one of 16 (72000) and those the JDBC driver makes
   * up, each written out, so that a changed class shows which states it moves.
   */
  private static final String EXPECTED =
      """
      TRANSIENT keep 40000 40001 40P01 55006 55P03 57014 72000
      CONNECTION drop 08000 08001 08003 08004 08006 08007 08P01 08S01 25006 25P02 25P03
      CONNECTION drop 25P04 40003 53300 57000 57P01 57P02 57P03 57P04 57P05
      STALE_PLAN keep 0A000 26000
      STALE_PLAN drop 42P05
      LOCK_TABLE_FULL keep 53200
      ENVIRONMENT keep 2200H 27000 2D000 2F000 2F002 2F003 2F004 2F005 38001 38002 38003
      ENVIRONMENT keep 38004 39000 39001 39P01 39P02 39P03 3F000 42501 42702 42703 42704
      ENVIRONMENT keep 42725 42804 42809 42846 42883 428C9 42P01 42P10 42P17 42P21 42P22
      ENVIRONMENT keep 53000 53100 53400 55P04 HV000 HV001 HV002 HV004 HV005 HV006 HV007
      ENVIRONMENT keep HV008 HV009 HV00A HV00B HV00C HV00D HV00J HV00K HV00L HV00M HV00N
      ENVIRONMENT keep HV00P HV00Q HV00R HV010 HV014 HV021 HV024 HV090 HV091
      ENVIRONMENT drop 0P000 28000 28P01 3D000 55000 58000 58030 58P01 58P02 58P03 F0000
      ENVIRONMENT drop F0001 XX000 XX001 XX002
      BAD_EVENT keep 09000 10608 20000 21000 22000 22001 22002 22003 22004 22005 22007
      BAD_EVENT keep 22008 22009 2200B 2200C 2200D 2200F 2200G 2200L 2200M 2200N 2200S
      BAD_EVENT keep 2200T 22010 22011 22012 22013 22014 22015 22016 22018 22019 2201B
      BAD_EVENT keep 2201E 2201F 2201G 2201W 2201X 22021 22022 22023 22024 22025 22026
      BAD_EVENT keep 22027 2202E 2202G 2202H 22030 22031 22032 22033 22034 22035 22036
      BAD_EVENT keep 22037 22038 22039 2203A 2203B 2203C 2203D 2203E 2203F 2203G 22P01
      BAD_EVENT keep 22P02 22P05 22P06 23000 23001 23502 23503 23505 23514 23P01 38000
      BAD_EVENT keep 39004 40002 44000 54000 54001 P0000 P0001 P0002 P0003 P0004
      PROGRAM drop 00000 01000 01003 01004 01006 01007 01008 0100C 0100E 01P01 02000
      PROGRAM drop 02001 03000 07006 0B000 0F000 0F001 0L000 0LP01 0Z000 0Z002 22P03
      PROGRAM drop 22P04 24000 25000 25001 25002 25003 25004 25005 25007 25008 25P01
      PROGRAM drop 2B000 2BP01 34000 3B000 3B001 42000 42601 42602 42611 42622 42701
      PROGRAM drop 42710 42712 42723 42803 42820 42821 42830 42939 42P02 42P03 42P04
      PROGRAM drop 42P06 42P07 42P08 42P09 42P11 42P12 42P13 42P14 42P15 42P16 42P18
      PROGRAM drop 42P19 42P20 54011 54023 55P02 60000 99999
      """;

  private record Expected(FaultKind kind, boolean evict, String state) {
    @Override
    public String toString() {
      return state + " is " + kind + (evict ? ", session dropped" : ", session kept");
    }
  }

  static Stream<Expected> expected() {
    return EXPECTED.lines().flatMap(SqlStatePolicyTest::expectedOf);
  }

  private static Stream<Expected> expectedOf(String line) {
    List<String> words = List.of(line.split(" "));
    FaultKind kind = FaultKind.valueOf(words.get(0));
    boolean evict = words.get(1).equals("drop");
    return words.stream().skip(2).map(state -> new Expected(kind, evict, state));
  }

  @ParameterizedTest
  @MethodSource("expected")
  void everyKnownStateHasItsKind(Expected expected) {
    assertThat(SqlStatePolicy.of(expected.state())).isEqualTo(expected.kind());
    assertThat(SqlStatePolicy.mustEvict(expected.state())).isEqualTo(expected.evict());
  }

  @Test
  void everyKnownStateIsListedOnce() {
    assertThat(expected().map(Expected::state)).hasSizeGreaterThan(260).doesNotHaveDuplicates();
  }

  /** A pool that has no connection to give, or a driver that never reached the server. */
  @ParameterizedTest
  @NullAndEmptySource
  void missingStateIsALostConnection(String missing) {
    assertThat(SqlStatePolicy.of(missing)).isEqualTo(FaultKind.CONNECTION);
    assertThat(SqlStatePolicy.mustEvict(missing)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"U0001", "ABCDE", "99001", "4000", "400011", "40", " 40001", "08", "é0001"})
  void unknownStateStopsTheConsumer(String unknown) {
    assertThat(SqlStatePolicy.of(unknown)).isEqualTo(FaultKind.PROGRAM);
    assertThat(SqlStatePolicy.mustEvict(unknown)).isTrue();
  }

  /** A state that a later PostgreSQL adds is treated as its class. */
  @ParameterizedTest
  @ValueSource(strings = {"08P99", "22P99", "23P99", "40P99", "53P99", "57P99", "58P99", "XXP99"})
  void newStateFollowsItsClass(String state) {
    String generic = state.substring(0, 2) + "000";

    assertThat(SqlStatePolicy.of(state)).isEqualTo(SqlStatePolicy.of(generic));
    assertThat(SqlStatePolicy.of(state)).isNotEqualTo(FaultKind.PROGRAM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"54000", "22023", "23505", "P0001"})
  void statementWithoutEventsBlamesNoEvent(String state) {
    assertThat(SqlStatePolicy.of(state)).isEqualTo(FaultKind.BAD_EVENT);
    assertThat(SqlStatePolicy.withoutEvents(state)).isEqualTo(FaultKind.ENVIRONMENT);
  }

  @Test
  void statementWithoutEventsKeepsEveryOtherKind() {
    assertThat(expected().filter(row -> row.kind() != FaultKind.BAD_EVENT))
        .allSatisfy(
            row -> assertThat(SqlStatePolicy.withoutEvents(row.state())).isEqualTo(row.kind()));
  }

  @ParameterizedTest
  @EnumSource
  void everyKindHasAState(FaultKind kind) {
    assertThat(expected()).anyMatch(row -> row.kind() == kind);
  }

  /** Only what the table lists may park: no state that merely looks like one does. */
  @Property
  void anyTextHasAKindAndOnlyListedClassesPark(
      @ForAll
          @StringLength(max = 6)
          @CharRange(from = '0', to = '9')
          @CharRange(from = 'A', to = 'Z')
          String state) {
    FaultKind kind = SqlStatePolicy.of(state);

    if (kind == FaultKind.BAD_EVENT) {
      assertThat(state).hasSize(5);
      assertThat(state.substring(0, 2))
          .isIn("09", "10", "20", "21", "22", "23", "38", "39", "40", "44", "54", "P0");
    }
    if (kind == FaultKind.CONNECTION || kind == FaultKind.PROGRAM) {
      assertThat(SqlStatePolicy.mustEvict(state)).isTrue();
    }
  }
}
