package dev.ingest.postgres.locks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT 'secret'|SELECT ?",
        "SELECT 'it''s secret', 1|SELECT ?, ?",
        "SELECT E'it\\'s secret', x|SELECT E?, x",
        "UPDATE t1 SET c2 = -1.5e-3 WHERE id = $1|UPDATE t1 SET c2 = -? WHERE id = $1",
        "SELECT $$secret 'x'$$, $tag$se$$cret$tag$, y|SELECT ?, ?, y",
        "SELECT 0xFF, 1_000, .5|SELECT ?, ?, .?",
        "SELECT \"Col 1\", 'a' \"b'c\"|SELECT \"Col 1\", ? \"b'c\"",
        "SELECT 1 -- secret|SELECT ?",
        "SELECT /* secret /* nested */ still */ a|SELECT a",
        "INSERT  INTO t   VALUES ( 'a' )|INSERT INTO t VALUES ( ? )",
        "SELECT U&'d\\0061ta', b'01'|SELECT U&…",
        "SELECT a$1b, tbl2.col3|SELECT a$1b, tbl2.col3",
      })
  void literalsAreReplaced(String statement, String clean) {
    assertThat(QueryText.withoutLiterals(statement)).isEqualTo(clean);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'secret",
        "SELECT $$secret",
        "SELECT 'a\\', ' secret'",
        "SELECT 'secret\\'' , secret",
        "SELECT /* secret",
        "SELECT E'secret\\",
        "SELECT '\\''secret"
      })
  void whatIsUnclearIsCut(String statement) {
    assertThat(QueryText.withoutLiterals(statement)).doesNotContain("secret").startsWith("SELECT");
  }

  @Test
  void lineBreaksBecomeBlanks() {
    assertThat(QueryText.withoutLiterals("SELECT a\n\t FROM b\n")).isEqualTo("SELECT a FROM b");
  }
}
