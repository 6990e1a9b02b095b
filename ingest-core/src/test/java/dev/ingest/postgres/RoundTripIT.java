package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.RandomJson;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Values made up from a seed reach a typed column as they were sent, or are parked with a reason
 * that holds nothing of them; and what the type can hold is not parked.
 */
class RoundTripIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
  private static final int EVENTS = 1000;

  private final TestDatabase database = POSTGRES.database();
  private final long seed = new SplittableRandom().nextLong();
  private final RandomGenerator random = new SplittableRandom(seed);
  private final RandomJson json = new RandomJson(random);

  @BeforeAll
  static void createSchema(TestDatabase database) {
    Schema.create(database);
    database.execute("ALTER DATABASE " + database.name() + " SET timezone = 'America/Caracas'");
  }

  @BeforeEach
  void emptySchema() {
    System.out.println("seed=" + seed);
    database.execute("DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app");
  }

  /** A value as JSON writes it, and what it means. */
  private record Sent<T>(String json, T meaning) {}

  /**
   * Sends values and compares.
   *
   * @param same whether what the column shows is what was sent
   * @param fits whether the type can hold the value, so that it must not be parked
   */
  private <T> void check(
      String type,
      String form,
      String shown,
      Supplier<Sent<T>> values,
      BiPredicate<T, @Nullable String> same,
      Predicate<T> fits) {
    database.execute("CREATE TABLE app.t (id text PRIMARY KEY, v " + type + ")");
    StoreDriver driver =
        new StoreDriver(
            database.dataSource(),
            StoreDriver.mapping("app.t", Map.of("id", "key", "v", "json:/v" + form)));
    List<Sent<T>> sent = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      Sent<T> value = values.get();
      sent.add(value);
      events.add(driver.event(Integer.toString(i), "{\"v\":" + value.json() + "}"));
    }

    StoreDriver.Sums sums = driver.write(events);

    assertThat(sums.inserted() + sums.parked().size()).isEqualTo(EVENTS);
    Map<Integer, RejectedEvent> parked = new HashMap<>();
    sums.parked().forEach(each -> parked.put(number(each.event()), each));
    Map<Integer, String> stored = stored(shown);
    for (int i = 0; i < EVENTS; i++) {
      compare(sent.get(i), stored.get(i), parked.get(i), same, fits);
    }
  }

  private <T> void compare(
      Sent<T> sent,
      @Nullable String stored,
      @Nullable RejectedEvent parked,
      BiPredicate<T, @Nullable String> same,
      Predicate<T> fits) {
    if (parked == null) {
      assertThat(same.test(sent.meaning(), stored))
          .as("seed=%d sent=%s stored=%s", seed, sent.json(), stored)
          .isTrue();
      return;
    }
    assertThat(fits.test(sent.meaning()))
        .as("seed=%d sent=%s parked=%s", seed, sent.json(), parked.reason())
        .isFalse();
    assertThat(parked.sqlState()).startsWith("22");
    assertThat(parked.reason()).isNotBlank().hasSizeLessThan(200);
  }

  private static int number(Event event) {
    return Integer.parseInt(new String(Objects.requireNonNull(event.key()), UTF_8));
  }

  private Map<Integer, String> stored(String shown) {
    Map<Integer, String> stored = new HashMap<>();
    database
        .query("SELECT id::int AS id, (" + shown + ")::text AS v FROM app.t")
        .forEach(row -> stored.put((Integer) row.get("id"), (String) row.get("v")));
    return stored;
  }

  private void checkNumbers(String type, Predicate<BigDecimal> fits) {
    check(
        type,
        "",
        "v",
        () -> {
          String text = json.number();
          return new Sent<>(text, new BigDecimal(text));
        },
        (number, stored) -> new BigDecimal(stored).compareTo(number) == 0,
        fits);
  }

  @Test
  void numericsKeepEveryDigit() {
    checkNumbers("numeric", number -> number.precision() < 2000 && Math.abs(number.scale()) < 5000);
  }

  @Test
  void numericsOfAScaleNeverRound() {
    checkNumbers(
        "numeric(30, 6)",
        number ->
            Math.abs(number.scale()) < 5000 // the server refuses 0e-59375
                && scale(number) <= 6
                && number.abs().compareTo(new BigDecimal("1e24")) < 0);
  }

  private static int scale(BigDecimal number) {
    return number.signum() == 0 ? 0 : number.stripTrailingZeros().scale();
  }

  @Test
  void bigintsKeepEveryDigit() {
    checkNumbers("bigint", number -> scale(number) <= 0 && isLong(number));
  }

  private static boolean isLong(BigDecimal number) {
    return number.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) >= 0
        && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
  }

  @Test
  void doublesShowTheDigitsThatWereSent() {
    checkNumbers(
        "double precision",
        number ->
            number.signum() == 0
                || (number.precision() <= 15
                    && number.abs().compareTo(new BigDecimal("9e15")) < 0
                    && number.abs().compareTo(new BigDecimal("1e-300")) > 0));
  }

  @Test
  void realsShowTheDigitsThatWereSent() {
    checkNumbers(
        "real",
        number ->
            number.signum() == 0
                || (number.precision() <= 6
                    && number.abs().compareTo(new BigDecimal("1e7")) < 0
                    && number.abs().compareTo(new BigDecimal("1e-30")) > 0));
  }

  private void checkTexts(String type, Predicate<String> fits) {
    check(
        type,
        "",
        "v",
        () -> {
          String text = json.text();
          return new Sent<>(json.quoted(text), text);
        },
        (text, stored) -> text.equals(stored),
        fits);
  }

  @Test
  void textsKeepEveryCharacter() {
    checkTexts("text", RandomJson::isStorable);
  }

  @Test
  void varcharsCutNothingOff() {
    checkTexts(
        "varchar(10)",
        text -> RandomJson.isStorable(text) && text.codePointCount(0, text.length()) <= 10);
  }

  @Test
  void charsPadAndNothingElse() {
    check(
        "char(10)",
        "",
        "v", // the cast to text takes the padding off
        () -> {
          String text = json.text();
          return new Sent<>(json.quoted(text), text);
        },
        (text, stored) -> text.equals(stored),
        text ->
            RandomJson.isStorable(text)
                && text.codePointCount(0, text.length()) <= 10
                && !text.endsWith(" "));
  }

  @Test
  void jsonIsKeptAsItIsWritten() {
    check(
        "json",
        "",
        "v",
        () -> {
          String text = json.quoted(json.text());
          return new Sent<>(text, text);
        },
        (text, stored) -> text.equals(stored),
        text -> true);
  }

  @Test
  void stringsInJsonbKeepEveryCharacter() {
    check(
        "jsonb",
        "",
        "v #>> '{}'",
        () -> {
          String text = json.text();
          return new Sent<>(json.quoted(text), text);
        },
        (text, stored) -> text.equals(stored),
        RandomJson::isStorable);
  }

  private void checkMoments(String type, String form, Function<RandomJson.Moment, String> written) {
    check(
        type,
        form,
        "extract(epoch FROM v)",
        () -> {
          RandomJson.Moment moment = json.moment();
          return new Sent<>(written.apply(moment), moment.instant());
        },
        (moment, stored) -> new BigDecimal(stored).compareTo(seconds(moment)) == 0,
        moment -> moment.getNano() % 1000 == 0);
  }

  private static BigDecimal seconds(Instant moment) {
    return BigDecimal.valueOf(moment.getEpochSecond()).add(BigDecimal.valueOf(moment.getNano(), 9));
  }

  @Test
  void momentsKeepTheirMicroseconds() {
    checkMoments("timestamptz", "", moment -> '"' + moment.iso() + '"');
  }

  @Test
  void momentsOfColumnsWithoutZoneAreThoseOfTheDeclaredOne() {
    checkMoments("timestamp", " | iso zone=UTC", moment -> '"' + moment.iso() + '"');
  }

  @Test
  void epochNumbersKeepTheirMicroseconds() {
    checkMoments("timestamptz", " | epoch-s", moment -> seconds(moment.instant()).toPlainString());
  }

  @Test
  void epochMillisecondsKeepTheirFraction() {
    checkMoments(
        "timestamptz",
        " | epoch-ms",
        moment -> seconds(moment.instant()).movePointRight(3).toString());
  }
}
