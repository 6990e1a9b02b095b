package dev.ingest.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test class a fresh database on the server of the JVM and drops it at the end. Either
 * {@code @ExtendWith} and a {@link TestDatabase} parameter, or a static {@code @RegisterExtension}
 * field and {@link #database()}.
 */
public final class PostgresExtension
    implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
  private final String encoding;
  private @Nullable TestDatabase database;
  private int depth;

  /** A UTF-8 database. */
  public PostgresExtension() {
    this("UTF8");
  }

  /** A database in another server encoding, for instance {@code LATIN1}. */
  public PostgresExtension(String encoding) {
    this.encoding = encoding;
  }

  public TestDatabase database() {
    if (database == null) {
      throw new IllegalStateException("No database yet. Register the extension in a static field.");
    }
    return database;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (depth++ == 0) { // nested classes use the database of the outer class
      database = PostgresServer.shared().createDatabase(encoding);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (--depth == 0) {
      TestDatabase finished = database();
      database = null;
      finished.server().dropDatabase(finished);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestDatabase.class;
  }

  @Override
  public TestDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return database();
  }
}
