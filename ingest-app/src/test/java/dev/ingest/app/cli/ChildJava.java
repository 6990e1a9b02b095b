package dev.ingest.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * How a test starts Java with its own class path. The libraries' classes come from an archive as in
 * the distribution, which saves each process seconds of processor time; it is made once for a class
 * path and kept in {@code target}. Thread-safe.
 */
final class ChildJava {
  private static final Path CLASSES = Path.of("src", "dist", "lib", "ingest.classes");

  private ChildJava() {}

  /** The program and its options up to the name of the main class. */
  static List<String> command(String... options) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(List.of(options));
    command.addAll(Archive.OPTIONS);
    command.addAll(
        List.of("-cp", joined(classPath(true)) + File.pathSeparator + joined(classPath(false))));
    return command;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Libraries, which do not change while one works, or what was built here. */
  private static List<String> classPath(boolean libraries) {
    // Failsafe starts its JVM with one archive that refers to the class path.
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator, -1))
        .filter(entry -> isLibrary(entry) == libraries)
        .toList();
  }

  private static boolean isLibrary(String entry) {
    return entry.endsWith(".jar") && !Path.of(entry).getParent().endsWith("target");
  }

  private static String joined(List<String> entries) {
    return String.join(File.pathSeparator, entries);
  }

  /** An archive fits a class path that begins with the one that it was made for. */
  private static final class Archive {
    static final List<String> OPTIONS = options();

    private static List<String> options() {
      try {
        Path archive = Path.of("target", "child-" + fingerprint() + ".jsa").toAbsolutePath();
        if (!Files.exists(archive)) {
          dump(archive);
        }
        return List.of(
            "-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr");
      } catch (IOException e) {
        throw new UncheckedIOException("no class archive", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted", e);
      }
    }

    /** Of what an archive depends on. */
    private static String fingerprint() throws IOException {
      String libraries =
          classPath(true).stream()
              .map(entry -> entry + " " + new File(entry).lastModified())
              .collect(Collectors.joining("\n"));
      String all =
          System.getProperty("java.vm.version") + libraries + Files.readString(CLASSES, UTF_8);
      return UUID.nameUUIDFromBytes(all.getBytes(UTF_8)).toString();
    }

    private static void dump(Path archive) throws IOException, InterruptedException {
      Files.createDirectories(archive.getParent());
      Path unfinished = Files.createTempFile(archive.getParent(), "child-", ".new");
      Process dump =
          new ProcessBuilder(
                  java(),
                  "-Xshare:dump",
                  "-XX:SharedClassListFile=" + CLASSES,
                  "-XX:SharedArchiveFile=" + unfinished,
                  "-Xlog:disable",
                  "-Xlog:all=error:stderr",
                  "-cp",
                  joined(classPath(true)))
              .redirectErrorStream(true)
              .start();
      String output = new String(dump.getInputStream().readAllBytes(), UTF_8);
      if (dump.waitFor() != 0) {
        throw new IllegalStateException("no class archive: " + output);
      }
      Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
