package dev.ingest.app.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The blocks of code of a page of the user guide, so that tests run what users read. */
record Guide(String page) {
  private static final Path DOCS = Path.of("docs");

  static Guide read(String name) {
    try {
      Path module = Files.isDirectory(DOCS) ? DOCS : Path.of("ingest-app").resolve(DOCS);
      return new Guide(Files.readString(module.resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Blocks of one language, in the order of the page. */
  List<String> blocks(String language) {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
        .matcher(page)
        .results()
        .map((MatchResult block) -> block.group(1))
        .toList();
  }

  /** SQL that sets something up, each block after the other. */
  List<String> setUp() {
    return blocks("sql").stream().filter(sql -> !sql.startsWith("-- check")).toList();
  }

  /** SQL that finds nothing where all is well. */
  List<String> checks() {
    return blocks("sql").stream().filter(sql -> sql.startsWith("-- check")).toList();
  }
}
