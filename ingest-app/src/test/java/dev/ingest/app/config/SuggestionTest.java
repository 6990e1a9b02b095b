package dev.ingest.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ingest.batch.maxevents    | did you mean ingest.batch.max-events?
          ingest.batch.size-of-it-all | use one of ingest.batch.max-events, ingest.batch.max-bytes, ingest.batch.linger
          ingest.http               | it is a group; use one of ingest.http.enabled, ingest.http.host, ingest.http.port
          server.port               | ingest config --table shows them all
          ingest.something-else     | ingest config --table shows them all
          """)
  void unknownNameComesWithAWayOut(String key, String advice) {
    assertThat(Suggestion.forKey(key)).isEqualTo(advice);
  }

  @ParameterizedTest
  @CsvSource({"abc,abc,0", "abc,'',3", "kitten,sitting,3", "'',ab,2"})
  void distanceCountsEdits(String a, String b, int distance) {
    assertThat(Suggestion.distance(a, b)).isEqualTo(distance);
  }
}
