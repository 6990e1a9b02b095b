package dev.ingest.app.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.app.config.Secret;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves who sent a request and when: {@code v1=} and, in small hexadecimal digits, HMAC-SHA256 by
 * the secret's UTF-8 bytes over the timestamp's digits, a full stop and the body. Receivers compute
 * it anew, compare in constant time and refuse timestamps that are some minutes old. Thread-safe.
 */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  Signature(Secret secret) {
    this.key = new SecretKeySpec(secret.reveal().getBytes(UTF_8), ALGORITHM);
  }

  /**
   * @param timestamp seconds since 1970
   */
  String of(long timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((timestamp + ".").getBytes(UTF_8));
      return "v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
      throw new IllegalStateException(ALGORITHM + " is part of every Java platform", impossible);
    }
  }
}
