package dev.ingest.app.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ingest.app.config.Secret;
import org.junit.jupiter.api.Test;

class SignatureTest {
  private static final byte[] BODY = "{\"id\": 1}".getBytes(UTF_8);

  /** {@code printf '1700000000.{"id": 1}' | openssl dgst -sha256 -hmac hush}. */
  @Test
  void isWhatOpensslMakesOfTimestampAndBody() {
    assertThat(new Signature(new Secret("hush")).of(1_700_000_000, BODY))
        .isEqualTo("v1=122abd051f9cff8930d304322ff2a091aa4ffe6a50bdc58ff7090a5f6f6175fc");
  }

  @Test
  void differsWithSecretTimeAndBody() {
    Signature signature = new Signature(new Secret("hush"));

    assertThat(signature.of(1_700_000_000, BODY))
        .isNotEqualTo(signature.of(1_700_000_001, BODY))
        .isNotEqualTo(signature.of(1_700_000_000, new byte[0]))
        .isNotEqualTo(new Signature(new Secret("hush2")).of(1_700_000_000, BODY));
  }
}
