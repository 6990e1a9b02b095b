package dev.ingest.app.bench.writers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ingest.event.IngestException;
import dev.ingest.event.IngestException.Code;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Speaks as much of Redis's protocol (RESP 2) as locks need. One thread at a time. */
public final class RedisClient implements AutoCloseable {
  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;

  public RedisClient(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  /** Sends all commands, then reads all replies: false for each that is nil, else true. */
  List<Boolean> all(List<List<String>> commands) {
    try {
      for (List<String> command : commands) {
        send(command);
      }
      out.flush();
      List<Boolean> replies = new ArrayList<>(commands.size());
      for (int i = 0; i < commands.size(); i++) {
        replies.add(reply());
      }
      return replies;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void send(List<String> command) throws IOException {
    out.write(("*" + command.size() + "\r\n").getBytes(UTF_8));
    for (String word : command) {
      byte[] bytes = word.getBytes(UTF_8);
      out.write(("$" + bytes.length + "\r\n").getBytes(UTF_8));
      out.write(bytes);
      out.write('\r');
      out.write('\n');
    }
  }

  private boolean reply() throws IOException {
    String line = line();
    if (line.startsWith("-") || line.isEmpty()) {
      throw new IngestException(Code.STORE_FAILED, "redis refused a command: " + line);
    }
    return !line.equals("$-1");
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    while (c >= 0 && c != '\n') {
      if (c != '\r') {
        line.append((char) c);
      }
      c = in.read();
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      // it is closed either way
    }
  }
}
