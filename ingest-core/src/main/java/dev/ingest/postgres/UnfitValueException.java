package dev.ingest.postgres;

/**
 * An event holds a value that no column can take, found before any SQL. Carries no stack trace: it
 * says something of the event, not of the code. The message holds no value.
 */
final class UnfitValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String sqlState;
  private final String reason;

  /**
   * @param sqlState the SQLSTATE with which the server would have refused the value
   */
  UnfitValueException(String sqlState, String reason) {
    super(reason, null, false, false);
    this.sqlState = sqlState;
    this.reason = reason;
  }

  String reason() {
    return reason;
  }

  String sqlState() {
    return sqlState;
  }
}
