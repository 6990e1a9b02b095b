package dev.ingest.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Picks loopback ports for servers that must know their port before they bind it. Another process
 * may take it in between.
 */
final class FreePort {
  private FreePort() {}

  /** A port that was free a moment ago. */
  static int find() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("No free loopback port", e);
    }
  }
}
