package dev.ingest.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * How to reach the schema registry. Immutable.
 *
 * @param urls tried in this order; empty where there is no registry
 * @param user empty where it asks for none
 * @param timeout for one answer of one address
 */
public record RegistrySettings(List<URI> urls, String user, Secret password, Duration timeout) {
  public RegistrySettings {
    urls = List.copyOf(urls);
  }

  /** Throws {@link InvalidValue}. */
  static List<URI> parseUrls(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .map(RegistrySettings::url)
        .toList();
  }

  private static URI url(String text) {
    try {
      URI url = new URI(text);
      if (url.getRawUserInfo() != null) {
        throw InvalidValue.confidential(
            "puts a user before the host; use ingest.value.registry.user and"
                + " ingest.value.registry.password");
      }
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (web
          && url.getHost() != null
          && url.getRawQuery() == null
          && url.getRawFragment() == null) {
        return url;
      }
    } catch (URISyntaxException other) {
      // says the same as what follows, with the text in it
    }
    throw InvalidValue.of("is no address of a registry; use one such as http://registry:8081");
  }
}
