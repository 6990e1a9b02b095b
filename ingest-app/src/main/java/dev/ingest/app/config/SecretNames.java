package dev.ingest.app.config;

import java.util.regex.Pattern;

/** Which names under a free prefix hold a secret. Too many rather than too few. */
final class SecretNames {
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i).*(password|passwd|passphrase|secret|token|credential|jaas\\.config|user\\.info|api\\.?key"
              + "|keystore\\.key|truststore\\.certificates|keystore\\.certificate\\.chain).*");

  /** Addresses, places and numbers about a secret are no secret. */
  private static final Pattern ABOUT =
      Pattern.compile(
          "(?i).*(\\.(url|file|location|ms|seconds|class|name|enabled?|id|type)|-file)");

  private SecretNames() {}

  static boolean matches(String name) {
    return SECRET.matcher(name).matches() && !ABOUT.matcher(name).matches();
  }

  /** Whether the value under this key is the path of a file that holds the secret. */
  static boolean isFileOfSecret(String key) {
    return key.endsWith("-file") && matches(secretOf(key));
  }

  static String secretOf(String fileKey) {
    return fileKey.substring(0, fileKey.length() - "-file".length());
  }
}
