package dev.ingest.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** How a proxy sees the bytes of one connection. The two directions call it from two threads. */
interface Wire {
  /** Whatever bytes there are. */
  Wire RAW =
      (link, fromClient, in) -> {
        byte[] buffer = new byte[16_384];
        int length = in.read(buffer);
        return length < 0 ? new byte[0] : Arrays.copyOf(buffer, length);
      };

  /** Reads the next piece to pass on, waiting for it; empty at the end of the stream. */
  byte[] next(ProxyLink link, boolean fromClient, InputStream in) throws IOException;
}
