package dev.ingest.testkit;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test class topics of its own on the broker of the JVM. Either {@code @ExtendWith} and a
 * {@link TestTopics} parameter, or a static {@code @RegisterExtension} field and {@link #topics()}.
 */
public final class KafkaExtension
    implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
  private @Nullable TestTopics topics;
  private int depth;

  public TestTopics topics() {
    if (topics == null) {
      throw new IllegalStateException("No topics yet. Register the extension in a static field.");
    }
    return topics;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (depth++ == 0) { // nested classes use the topics of the outer class
      topics =
          new TestTopics(
              KafkaServer.shared(),
              context.getRequiredTestClass().getSimpleName().toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (--depth == 0) {
      TestTopics finished = topics();
      topics = null;
      finished.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestTopics.class;
  }

  @Override
  public TestTopics resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return topics();
  }
}
