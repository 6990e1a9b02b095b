package dev.ingest.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.config.Config;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeapNeedTest {
  private static final long HEAP = 240L << 20;

  @Test
  void fourConsumersFitIntoAQuarterOfAGibibyte() {
    assertThat(HeapNeed.warning(Configs.with("ingest.source.consumers=4"), HEAP)).isEmpty();
  }

  @Test
  void whatDoesNotFitIsToldWithTheArithmetic() {
    assertThat(HeapNeed.warning(Configs.with("ingest.source.consumers=5"), HEAP))
        .hasValueSatisfying(
            text -> assertThat(text).contains("heap=240MiB need=300MiB consumers=5"));
  }

  @Test
  void fetchesFollowTheBuffer() {
    Config config = Configs.with("ingest.buffer.max-bytes=1MiB", "ingest.batch.max-bytes=1MiB");

    Map<String, String> kafka = CoreSettings.kafka(config, 0);

    assertThat(kafka)
        .containsEntry("fetch.max.bytes", "262144")
        .containsEntry("max.partition.fetch.bytes", "262144");
  }
}
