package dev.ingest.app.bench;

import java.nio.file.Path;
import java.util.List;

/** Starts Java for a process that is measured, with the options that {@code bin/ingest} gives. */
public final class BenchJava {
  private BenchJava() {}

  /**
   * The beginning of a command line; arguments of the program follow.
   *
   * @param heap as {@code -Xmx} takes it
   */
  public static List<String> command(String heap, String mainClass) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx" + heap,
        "-XX:+UseSerialGC", // ADR 0024
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        mainClass);
  }
}
