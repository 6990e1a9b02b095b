package dev.ingest.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.event.Event;
import dev.ingest.event.Header;
import dev.ingest.plan.RejectedEvent;
import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

class TypedTargetIT {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final TestDatabase database = POSTGRES.database();

  /** Sessions are as odd as a database can make them: none of it may reach a value. */
  @BeforeAll
  static void createSchema() {
    TestDatabase database = POSTGRES.database();
    Schema.create(database);
    for (String setting :
        List.of(
            "timezone = 'America/Caracas'",
            "datestyle = 'SQL, DMY'",
            "intervalstyle = 'sql_standard'",
            "bytea_output = 'escape'",
            "extra_float_digits = 0",
            "standard_conforming_strings = off",
            "search_path = nowhere")) {
      database.execute("ALTER DATABASE " + database.name() + " SET " + setting);
    }
  }

  @BeforeEach
  void emptySchema() {
    database.execute("DROP SCHEMA IF EXISTS app CASCADE");
    database.execute("CREATE SCHEMA app");
  }

  /** Each column as {@code name=source}, separated by {@code "; "}; the key is {@code id}. */
  private StoreDriver driver(String columns) {
    Map<String, String> sources = new LinkedHashMap<>();
    sources.put("id", "key");
    for (String column : columns.split("; ", -1)) {
      int equals = column.indexOf('=');
      sources.put(column.substring(0, equals), column.substring(equals + 1));
    }
    return new StoreDriver(database.dataSource(), StoreDriver.mapping("app.t", sources));
  }

  /** What the table holds, in a session that shows it plainly. */
  private List<String> rows(String expression) {
    PGSimpleDataSource plain = database.dataSource();
    plain.setOptions(
        "-c datestyle=ISO -c intervalstyle=iso_8601 -c bytea_output=hex"
            + " -c extra_float_digits=1");
    try (Connection connection = plain.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET timezone = 'UTC'"); // the driver sets this JVM's
      ResultSet found =
          statement.executeQuery(
              "SELECT (" + expression + ")::text FROM app.t ORDER BY id::text COLLATE \"C\"");
      List<String> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(found.getString(1));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String text(String expression) {
    return rows(expression).get(0);
  }

  @Test
  void everyTypeTakesItsValueUnaltered() {
    database.execute(
        """
        CREATE TYPE app."Mood" AS ENUM ('fine', 'so-so');
        CREATE DOMAIN app.grade AS numeric(3, 1) CHECK (VALUE < 11);
        CREATE TABLE app.t (
          id uuid PRIMARY KEY, j jsonb, k json, s text, v varchar(5), n numeric, d numeric(12, 4), b bigint,
          i integer, m smallint, y boolean, z boolean, f double precision, r real, at timestamptz, lo timestamp,
          da date, ti time, iv interval, by bytea, ip inet, ne cidr, mo app."Mood", gr app.grade, li integer[],
          tx text[], tt numeric(6, 2)[], ra numrange, po point, x xml, bi bit(3), mac macaddr, o oid)
        """);
    StoreDriver driver =
        driver(
            "j=json:/j; k=json:/j; s=json:/s; v=json:/v; n=json:/n; d=json:/d; "
                + "b=json:/b; i=json:/i; m=json:/m; y=json:/y; z=json:/z; f=json:/f; "
                + "r=json:/r; at=json:/at; lo=json:/lo; da=json:/da; ti=json:/ti; iv=json:/iv; "
                + "by=json:/by | base64; ip=json:/ip; ne=json:/ne; mo=json:/mo; gr=json:/gr; "
                + "li=json:/li; tx=json:/tx; tt=json:/tt; ra=json:/ra; po=json:/po; x=json:/x; "
                + "bi=json:/bi; mac=json:/mac; o=json:/o");

    driver.write(
        List.of(
            driver.event(
                "3F2504E0-4F89-11D3-9A0C-0305E82C3301",
                """
                {"j":{"b":[1.50,"\\\\u0000 \\ud83d\\ude00"]},"s":"a'\\\\\\"é","v":"ab   ",
                 "n":-0.1234567890123456789012345678901234567890,"d":99999999.9999,"b":9223372036854775807,
                 "i":1.0,"m":-32768,"y":true,"z":0,"f":0.1,"r":16777216,
                 "at":"2018-01-31T07:34:59.650001+05:45","lo":"2018-01-31 01:49:59.000001","da":"0044-03-15",
                 "ti":"23:59:59.999999","iv":"P1DT0.000001S","by":"AP+A","ip":"10.1.2.3/24",
                 "ne":"10.1.2.0/24","mo":"so-so","gr":9.5,"li":[1,null,3],"tx":["a,b","{\\"}","NULL",null],
                 "tt":[[1.25,2],[3,4.5]],"ra":"[1.5,2)","po":"(1.5,-2)","x":"<a/>","bi":"101",
                 "mac":"08:00:2b:01:02:03","o":4294967295}""")));

    assertThat(text("id")).isEqualTo("3f2504e0-4f89-11d3-9a0c-0305e82c3301");
    assertThat(text("j")).isEqualTo("{\"b\": [1.50, \"\\\\u0000 😀\"]}");
    assertThat(text("k")).isEqualTo("{\"b\":[1.50,\"\\\\u0000 \\ud83d\\ude00\"]}");
    assertThat(text("concat_ws('|', s, v || '.', n, d, b, i, m, y, z, f, r)"))
        .isEqualTo(
            "a'\\\"é|ab   .|-0.1234567890123456789012345678901234567890|99999999.9999|9223372036854775807"
                + "|1|-32768|t|f|0.1|1.6777216e+07");
    assertThat(text("concat_ws('|', at, lo, da, ti, iv, by, ip, ne, mo, gr)"))
        .isEqualTo(
            "2018-01-31 01:49:59.650001+00|2018-01-31 01:49:59.000001|0044-03-15|23:59:59.999999"
                + "|P1DT0.000001S|\\x00ff80|10.1.2.3/24|10.1.2.0/24|so-so|9.5");
    assertThat(text("concat_ws('|', li, tx, tt, ra, po, x, bi, mac, o)"))
        .isEqualTo(
            "{1,NULL,3}|{\"a,b\",\"{\\\"}\",\"NULL\",NULL}|{{1.25,2.00},{3.00,4.50}}|[1.5,2)|(1.5,-2)|<a/>"
                + "|101|08:00:2b:01:02:03|4294967295");
  }

  @Test
  void everySourceFillsItsColumn() {
    database.execute(
        """
        CREATE TABLE app.t (
          id text PRIMARY KEY, topic text, part bigint, off numeric, at timestamptz, raw bytea, doc jsonb,
          head text, heads jsonb, fixed numeric, quoted text, made timestamptz)
        """);
    StoreDriver driver =
        driver(
            "topic=topic; part=partition; off=offset; at=timestamp; raw=payload; "
                + "doc=payload; head=header:h; heads=headers; fixed=constant:1.50; "
                + "quoted=constant:it's \\n E'?; made=now");
    Header first = new Header("h", "one".getBytes(UTF_8));
    Header last = new Header("h", "zwölf".getBytes(UTF_8));

    driver.write(List.of(driver.event("k", "{\"a\": 1.0}", first, last)));

    assertThat(
            text(
                "concat_ws('|', id, topic, part, off, at, convert_from(raw, 'UTF8'), doc, head, fixed)"))
        .isEqualTo("k|t|0|0|2018-01-31 01:49:59.65+00|{\"a\": 1.0}|{\"a\": 1.0}|zwölf|1.50");
    assertThat(text("quoted")).isEqualTo("it's \\n E'?");
    assertThat(text("heads ->> 1")).contains("zwölf");
    assertThat(text("now() - made < interval '1 minute'")).isEqualTo("true");
  }

  @Test
  void absentTakesTheDefaultAndNullIsNull() {
    database.execute(
        """
        CREATE DOMAIN app.level AS text DEFAULT 'low';
        CREATE TABLE app.t (
          id text PRIMARY KEY, a text DEFAULT 'it''s', b jsonb DEFAULT '{"a": 1}', c boolean
          DEFAULT ('{"x": 1}'::jsonb ?? 'x'), n integer DEFAULT 7, lvl app.level, nodefault text,
          m bigint GENERATED BY DEFAULT AS IDENTITY, at timestamp DEFAULT '2018-01-31', num numeric(4, 2) DEFAULT 1)
        """);
    StoreDriver driver =
        driver(
            "a=json:/a; b=json:/b; c=json:/c; n=header:n; lvl=json:/l; "
                + "nodefault=json:/x; m=json:/m; at=json:/at; num=json:/num");

    driver.write(
        List.of(
            driver.event("1-absent", "{}"),
            driver.event(
                "2-null",
                "{\"a\":null,\"b\":null,\"c\":null,\"l\":null,\"at\":null,\"num\":null,\"m\":40}",
                new Header("n", null)),
            driver.event(
                "3-there",
                "{\"a\":\"\",\"b\":0,\"c\":false,\"l\":\"top\",\"x\":\"x\",\"m\":41,\"at\":\"2019-01-01\",\"num\":2}",
                new Header("n", "8".getBytes(UTF_8)))));

    assertThat(
            rows(
                "concat_ws('|', id, coalesce(a, '-'), coalesce(b::text, '-'),"
                    + " coalesce(c::text, '-'), coalesce(n::text, '-'), coalesce(lvl, '-'),"
                    + " coalesce(nodefault, '-'), m, coalesce(at::text, '-'), coalesce(num::text, '-'))"))
        .containsExactly(
            "1-absent|it's|{\"a\": 1}|true|7|low|-|1|2018-01-31 00:00:00|1.00",
            "2-null|-|-|-|-|-|-|40|-|-",
            "3-there||0|false|8|top|x|41|2019-01-01 00:00:00|2.00");
  }

  @Test
  void moreThanOneMaskOfDefaultsIsKeptApart() {
    int columns = 80;
    StringBuilder table = new StringBuilder("CREATE TABLE app.t (id text PRIMARY KEY");
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      table.append(", c").append(i).append(" integer DEFAULT ").append(1000 + i);
      sources.add("c" + i + "=json:/c" + i);
    }
    database.execute(table.append(")").toString());
    StoreDriver driver = driver(String.join("; ", sources));
    List<Event> events = new ArrayList<>();
    for (int row = 0; row < 1000; row++) {
      int sent = row % columns;
      events.add(driver.event("k" + row, "{\"c" + sent + "\":" + row + "}"));
    }

    StoreDriver.Sums sums = driver.write(events);

    assertThat(sums.inserted()).isEqualTo(1000);
    for (int i : List.of(0, 1, 61, 62, 63, 79)) {
      assertThat(
              database.count(
                  "SELECT count(*) FROM app.t WHERE CASE WHEN substr(id, 2)::int %% 80 = ? THEN c%d = substr(id, 2)::int ELSE c%d = ? END"
                      .formatted(i, i),
                  i,
                  1000 + i))
          .isEqualTo(1000);
    }
  }

  @Test
  void whatDoesNotFitIsParkedWithItsColumnAndTheRestIsStored() {
    database.execute(
        "CREATE TABLE app.t (id text PRIMARY KEY, n numeric(6, 2), at timestamptz, u uuid, v varchar(3) NOT NULL)");
    StoreDriver driver = driver("n=json:/n; at=json:/at; u=json:/u; v=json:/v");

    StoreDriver.Sums sums =
        driver.write(
            List.of(
                driver.event("good", "{\"n\":1.5,\"v\":\"abc\"}"),
                driver.event("scale", "{\"n\":1.555,\"v\":\"x\"}"),
                driver.event("range", "{\"n\":99999.5,\"v\":\"x\"}"),
                driver.event("uuid", "{\"u\":\"nope\",\"v\":\"x\"}"),
                driver.event("time", "{\"at\":1517363399650,\"v\":\"x\"}"),
                driver.event("long", "{\"v\":\"abcd\"}"),
                driver.event("null", "{\"v\":null}"),
                driver.event("json", "{\"v\":"),
                driver.event("also good", "{\"v\":\"\"}")));

    assertThat(sums.inserted()).isEqualTo(2);
    assertThat(sums.parked())
        .extracting(
            each ->
                new String(each.event().key(), UTF_8) + " " + each.sqlState() + " " + each.column())
        .containsExactlyInAnyOrder(
            "scale 22003 n",
            "range 22003 n",
            "uuid 22P02 u",
            "time 22007 at",
            "long 22001 v",
            "null 23502 v",
            "json 22P02 null");
    assertThat(sums.parked())
        .extracting(RejectedEvent::reason)
        .noneMatch(
            reason ->
                reason.contains("nope") || reason.contains("99999") || reason.contains("abcd"));
  }
}
