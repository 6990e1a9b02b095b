package dev.ingest.queue;

import dev.ingest.testkit.PostgresExtension;
import dev.ingest.testkit.Schema;
import dev.ingest.testkit.TestDatabase;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test class a database of its own and each test an empty queue in it. Tests take the
 * {@link TestDatabase}, or a {@link QueueSession} that is closed after them.
 */
final class QueueExtension
    implements BeforeAllCallback,
        AfterAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        ParameterResolver {
  private final PostgresExtension postgres = new PostgresExtension();
  private @Nullable QueueSession session;

  TestDatabase database() {
    return postgres.database();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    postgres.beforeAll(context);
    Schema.create(postgres.database());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    postgres.afterAll(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    postgres.database().execute("TRUNCATE ingest.job, ingest.job_done");
  }

  @Override
  public void afterEach(ExtensionContext context) throws SQLException {
    if (session != null) {
      session.close();
      session = null;
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == QueueSession.class
        || postgres.supportsParameter(parameter, context);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (parameter.getParameter().getType() != QueueSession.class) {
      return postgres.resolveParameter(parameter, context);
    }
    if (session == null) {
      session = QueueSession.open(postgres.database());
    }
    return session;
  }
}
