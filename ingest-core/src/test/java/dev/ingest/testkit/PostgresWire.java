package dev.ingest.testkit;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Passes whole messages of the frontend/backend protocol 3 (PostgreSQL manual, chapter "Message
 * Formats") and tells of each statement when it is sent and when it is done. Clients that prepare a
 * statement send its text once and only a name later, so names are remembered. One connection.
 */
final class PostgresWire implements Wire {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  /** Stands where the server says that it is ready; BEGIN has a round of its own before others. */
  private static final String ROUND = "\0";

  /** Told on the proxy's thread, before the message passes. */
  interface Told {
    void of(ProxyLink link, String sql);
  }

  private final Told requested;
  private final Told done;

  // Only the client's direction uses these.
  private final Map<String, String> statements = new HashMap<>();
  private String bound = "";
  private boolean started;

  /** Statements that are sent and not done, in their order. Both directions use it. */
  private final Queue<String> open = new ConcurrentLinkedQueue<>();

  PostgresWire(Told requested, Told done) {
    this.requested = requested;
    this.done = done;
  }

  @Override
  public byte[] next(ProxyLink link, boolean fromClient, InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(stream);
    if (fromClient && !started) {
      return startup(link, in);
    }
    int type = in.read();
    if (type < 0) {
      return new byte[0];
    }
    byte[] message = message(new byte[] {(byte) type}, in);
    if (fromClient) {
      sent(link, message);
    } else {
      answered(link, message);
    }
    return message;
  }

  /**
   * Messages before the session have no type. Encryption is declined here, since it would hide the
   * statements.
   */
  private byte[] startup(ProxyLink link, DataInputStream in) throws IOException {
    while (true) {
      byte[] message = message(new byte[0], in);
      int code = ByteBuffer.wrap(message).getInt(4);
      if (code != SSL_REQUEST && code != GSS_REQUEST) {
        started = true;
        return message;
      }
      link.answer((byte) 'N');
    }
  }

  private void sent(ProxyLink link, byte[] message) {
    switch (message[0]) {
      case 'Q' -> {
        open.add(text(message, 5));
        open.add(ROUND);
        requested.of(link, text(message, 5));
      }
      case 'P' -> statements.put(text(message, 5), text(message, end(message, 5)));
      case 'B' -> {
        bound = statements.getOrDefault(text(message, end(message, 5)), "");
        requested.of(link, bound);
      }
      case 'E' -> open.add(bound);
      case 'S' -> open.add(ROUND);
      default -> {
        // says nothing of a statement
      }
    }
  }

  private void answered(ProxyLink link, byte[] message) {
    if (message[0] == 'Z') {
      String passedOver = open.poll(); // all after one that failed
      while (passedOver != null && !passedOver.equals(ROUND)) {
        passedOver = open.poll();
      }
    } else if (message[0] == 'C' && !ROUND.equals(open.peek())) {
      String sql = open.poll();
      boolean refusedCommit = sql != null && isCommit(sql) && !isCommit(text(message, 5));
      if (sql != null && !refusedCommit) {
        done.of(link, sql);
      }
    }
  }

  static boolean isCommit(String sql) {
    return sql.strip().equalsIgnoreCase("COMMIT");
  }

  /** The prefix, a length that counts itself, and as many bytes as it says. */
  private static byte[] message(byte[] prefix, DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] message = ByteBuffer.allocate(prefix.length + length).put(prefix).putInt(length).array();
    in.readFully(message, prefix.length + 4, length - 4);
    return message;
  }

  /** A text that ends with a zero byte. */
  private static String text(byte[] message, int from) {
    return new String(message, from, end(message, from) - from - 1, StandardCharsets.UTF_8);
  }

  /** The place behind the next zero byte. */
  private static int end(byte[] message, int from) {
    int end = from;
    while (message[end] != 0) {
      end++;
    }
    return end + 1;
  }
}
