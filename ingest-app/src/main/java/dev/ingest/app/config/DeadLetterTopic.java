package dev.ingest.app.config;

/** Checks of the one topic that is written to. */
final class DeadLetterTopic {
  private DeadLetterTopic() {}

  static String parse(String text) {
    if (Topics.parse(text) instanceof Topics.Names topics && topics.names().size() == 1) {
      return topics.names().get(0);
    }
    throw InvalidValue.of("is not one topic name; use letters, digits, '.', '_' and '-'");
  }
}
