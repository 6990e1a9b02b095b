package dev.ingest.app.http;

import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

/** The files of the console, all from the class path: it works without a network. Thread-safe. */
final class Assets {
  private static final String WEBJARS = "/META-INF/resources/webjars/";

  /** What may be asked for, and where it is. */
  static final Map<String, String> FILES =
      Map.of(
          "htmx.min.js",
          WEBJARS + "htmx.org/2.0.4/dist/htmx.min.js",
          "uPlot.iife.min.js",
          WEBJARS + "uplot/1.6.30/dist/uPlot.iife.min.js",
          "uPlot.min.css",
          WEBJARS + "uplot/1.6.30/dist/uPlot.min.css",
          "console.js",
          "console.js",
          "console.css",
          "console.css",
          "icon.svg",
          "icon.svg");

  private record Asset(byte[] content, String type, String tag) {}

  private final Map<String, Asset> loaded = new ConcurrentHashMap<>();

  void serve(Context context, String file) {
    String place = FILES.get(file);
    if (place == null) {
      throw new NotFoundResponse();
    }
    Asset asset = loaded.computeIfAbsent(file, name -> load(name, place));
    context.header("Cache-Control", "no-cache").header("ETag", asset.tag);
    if (asset.tag.equals(context.header("If-None-Match"))) {
      context.status(304);
    } else {
      context.contentType(asset.type).result(asset.content);
    }
  }

  private static Asset load(String name, String place) {
    byte[] content = read(place);
    CRC32C sum = new CRC32C();
    sum.update(content);
    String tag = '"' + HexFormat.of().toHexDigits(sum.getValue()) + '"';
    return new Asset(content, type(name), tag);
  }

  /** A file of this package, or of the class path where the name begins with a slash. */
  static byte[] read(String place) {
    try (InputStream in = Assets.class.getResourceAsStream(place)) {
      if (in == null) {
        throw new IllegalStateException("The program lacks its file " + place);
      }
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static String type(String name) {
    if (name.endsWith(".js")) {
      return "text/javascript; charset=utf-8";
    }
    return name.endsWith(".css") ? "text/css; charset=utf-8" : "image/svg+xml";
  }
}
