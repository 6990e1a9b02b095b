package dev.ingest.mapping;

/**
 * An event holds a value that a column can't take unaltered, found before any SQL. Carries no stack
 * trace: it says something of the event, not of the code. The message holds no value.
 */
public final class UnfitValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String sqlState;
  private final String reason;

  /**
   * @param sqlState the SQLSTATE with which the server would have refused the value
   */
  public UnfitValueException(String sqlState, String reason) {
    super(reason, null, false, false);
    this.sqlState = sqlState;
    this.reason = reason;
  }

  /** One line without the value. */
  public String reason() {
    return reason;
  }

  public String sqlState() {
    return sqlState;
  }
}
