package dev.ingest.app.config;

import java.util.List;

/**
 * Where the business key comes from. Immutable.
 *
 * @param parts at least one; several are joined in this order
 */
public record KeySettings(List<KeyPart> parts) {
  public KeySettings {
    parts = List.copyOf(parts);
  }
}
