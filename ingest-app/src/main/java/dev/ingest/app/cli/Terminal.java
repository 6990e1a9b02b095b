package dev.ingest.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where standard error goes. */
final class Terminal {
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /**
   * Whether standard error is a terminal; input and output may be redirected all the same, which
   * {@link System#console} takes for no terminal. Elsewhere than on Linux its word has to do.
   */
  static boolean showsErrors() {
    try {
      return isTerminal(Files.readSymbolicLink(STANDARD_ERROR));
    } catch (IOException | UnsupportedOperationException elsewhere) {
      return System.console() != null;
    }
  }

  static boolean isTerminal(Path device) {
    return device.startsWith("/dev/pts")
        || device.toString().matches("/dev/(tty.*|console)"); // pipes and files are not below /dev
  }
}
