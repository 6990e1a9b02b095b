package dev.ingest.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks loopback ports for servers that must know their port before they bind it, and that come
 * back to it after a stop. They lie below those that systems give out by themselves, to clients and
 * to servers on port 0: so nobody takes one by chance while its server is away.
 */
final class FreePort {
  private static final int FROM = 10_000;
  private static final int TO = 30_000;
  private static final int TRIES = 100;

  private FreePort() {}

  /** A port that was free a moment ago. */
  static int find() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FROM, TO);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // the next one
      }
    }
    throw new IllegalStateException("No free loopback port from " + FROM + " to " + TO);
  }
}
