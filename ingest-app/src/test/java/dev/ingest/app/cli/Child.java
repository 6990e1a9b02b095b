package dev.ingest.app.cli;

/**
 * The program in a JVM that ends with the one that started it, whatever ended that: a killed test
 * must not leave processes that try for ever.
 */
final class Child {
  private Child() {}

  public static void main(String[] arguments) {
    ProcessHandle.current().parent().ifPresent(Child::endWith);
    Main.main(arguments);
  }

  private static void endWith(ProcessHandle parent) {
    var unused = parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)); // ends with this JVM
  }
}
