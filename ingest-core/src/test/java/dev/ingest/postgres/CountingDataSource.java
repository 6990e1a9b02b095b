package dev.ingest.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts how often something is sent to the server to run; COMMIT and ROLLBACK aside. */
final class CountingDataSource {
  private static final Set<String> RUNS = Set.of("execute", "executeQuery", "executeBatch");

  private final AtomicInteger runs = new AtomicInteger();
  private final DataSource counting;

  CountingDataSource(DataSource real) {
    counting = wrap(DataSource.class, real);
  }

  DataSource dataSource() {
    return counting;
  }

  /** Runs since the last call. */
  int take() {
    return runs.getAndSet(0);
  }

  private <T> T wrap(Class<T> type, Object real) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (real instanceof Statement && RUNS.contains(method.getName())) {
            runs.incrementAndGet(); // also where the server refuses it
          }
          Object result = invoke(real, method, arguments);
          return method.getName().equals("unwrap") ? result : rewrap(result);
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private Object rewrap(Object result) {
    if (result instanceof PreparedStatement) {
      return wrap(PreparedStatement.class, result);
    }
    if (result instanceof Connection) {
      return wrap(Connection.class, result);
    }
    return result instanceof Statement ? wrap(Statement.class, result) : result;
  }
}
