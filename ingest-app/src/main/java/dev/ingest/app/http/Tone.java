package dev.ingest.app.http;

/** How good a state is. */
enum Tone {
  OK("●"),
  WARN("▲"),
  BAD("■"),
  OFF("○");

  private final String shape;

  Tone(String shape) {
    this.shape = shape;
  }

  String shape() {
    return shape;
  }
}
