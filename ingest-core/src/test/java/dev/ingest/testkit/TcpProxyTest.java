package dev.ingest.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against an echo server on the loopback; nothing else can show what a socket sees. */
class TcpProxyTest {
  private ServerSocket echo;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    echo = echoServer();
    proxy = TcpProxy.to(echo.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    echo.close();
  }

  @Test
  void bytesPassBothWaysAndTheEndToo() throws IOException {
    try (Socket client = connect()) {
      assertThat(roundTrip(client, 7)).isEqualTo(7);

      client.shutdownOutput();

      assertThat(client.getInputStream().read()).isEqualTo(-1);
      await().untilAsserted(() -> assertThat(proxy.connections()).isZero());
    }
  }

  @Test
  void cutResetsOpenConnectionsAndServesNewOnes() throws IOException {
    try (Socket first = connect();
        Socket second = connect()) {
      roundTrip(first, 1);
      roundTrip(second, 2);

      proxy.cut();

      assertThatThrownBy(() -> roundTrip(first, 1)).isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> roundTrip(second, 2)).isInstanceOf(SocketException.class);
    }
    try (Socket third = connect()) {
      assertThat(roundTrip(third, 3)).isEqualTo(3);
    }
  }

  @Test
  void refusedClientsAreResetUntilAccepted() throws IOException {
    proxy.refuse();
    assertThatThrownBy(
            () -> {
              try (Socket client = connect()) {
                roundTrip(client, 1);
              }
            })
        .isInstanceOf(SocketException.class);

    proxy.accept();

    try (Socket client = connect()) {
      assertThat(roundTrip(client, 2)).isEqualTo(2);
    }
  }

  @Test
  void frozenConnectionIsSilentAndLosesNothing() throws IOException {
    try (Socket client = connect()) {
      roundTrip(client, 1);
      proxy.freeze();
      client.setSoTimeout(100);

      assertThatThrownBy(() -> roundTrip(client, 2)).isInstanceOf(SocketTimeoutException.class);
      proxy.thaw();

      client.setSoTimeout(5_000);
      assertThat(client.getInputStream().read()).isEqualTo(2);
    }
  }

  @Test
  void frozenConnectionCanBeCut() throws IOException {
    try (Socket client = connect()) {
      roundTrip(client, 1);
      proxy.freeze();
      client.getOutputStream().write(2);

      proxy.cut();

      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void delayHoldsEachDirection() throws IOException {
    try (Socket client = connect()) {
      roundTrip(client, 1);
      proxy.delay(Duration.ofMillis(60));

      long start = System.nanoTime();
      roundTrip(client, 2);

      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(120));
    }
  }

  @Test
  void newConnectionsGoToTheNewTarget() throws IOException {
    try (ServerSocket other = silentServer()) {
      proxy.forwardTo(other.getLocalPort());
      try (Socket client = connect()) {
        client.setSoTimeout(5_000);
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(5_000);
    return socket;
  }

  private static int roundTrip(Socket client, int value) throws IOException {
    client.getOutputStream().write(value);
    int reply = client.getInputStream().read();
    if (reply < 0) {
      throw new SocketException("closed");
    }
    return reply;
  }

  private static ServerSocket echoServer() throws IOException {
    return server(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
  }

  private static ServerSocket silentServer() throws IOException {
    return server(socket -> {});
  }

  private static ServerSocket server(Conversation conversation) throws IOException {
    ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    TcpProxy.daemon(
        "server",
        () -> {
          while (!listener.isClosed()) {
            try {
              Socket socket = listener.accept();
              TcpProxy.daemon("conversation", () -> conversation.hold(socket));
            } catch (IOException e) {
              return;
            }
          }
        });
    return listener;
  }

  private interface Conversation {
    void with(Socket socket) throws IOException;

    default void hold(Socket socket) {
      try (socket) {
        with(socket);
      } catch (IOException e) {
        // the client went away
      }
    }
  }
}
