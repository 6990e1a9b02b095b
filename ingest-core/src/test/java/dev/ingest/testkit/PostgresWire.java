package dev.ingest.testkit;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes whole messages of the frontend/backend protocol 3 (PostgreSQL manual, chapter "Message
 * Formats") and tells of commits. Clients that prepare COMMIT send its text once and only a
 * statement name later, so names are remembered. One connection.
 */
final class PostgresWire implements Wire {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  private final Consumer<ProxyLink> commitRequested;
  private final Consumer<ProxyLink> committed;
  private final Set<String> commitStatements =
      new HashSet<>(); // only the client's direction uses it
  private boolean started; // likewise

  PostgresWire(Consumer<ProxyLink> commitRequested, Consumer<ProxyLink> committed) {
    this.commitRequested = commitRequested;
    this.committed = committed;
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
    if (fromClient && isCommitRequest(message)) {
      commitRequested.accept(link);
    } else if (!fromClient && type == 'C' && isCommit(text(message, 5))) {
      committed.accept(link);
    }
    return message;
  }

  /**
   * Messages before the session have no type. Encryption is declined here, since it would hide the
   * commits.
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

  private boolean isCommitRequest(byte[] message) {
    if (message[0] == 'Q') {
      return isCommit(text(message, 5));
    }
    if (message[0] == 'P') {
      remember(text(message, 5), text(message, end(message, 5)));
    }
    return message[0] == 'B' && commitStatements.contains(text(message, end(message, 5)));
  }

  private void remember(String statement, String sql) {
    commitStatements.remove(statement); // the unnamed one is parsed over and over
    if (isCommit(sql)) {
      commitStatements.add(statement);
    }
  }

  private static boolean isCommit(String sql) {
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
