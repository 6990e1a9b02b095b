package dev.ingest.plan;

import dev.ingest.event.BusinessKey;
import dev.ingest.event.Event;

/** What reading an event before any SQL led to. */
public sealed interface Reading {
  /**
   * The event has a business key and may be stored.
   *
   * @param event with the document that was made of its value
   */
  record Keyed(BusinessKey key, Event event) implements Reading {}

  /** The event can't be stored at all; {@code reason} holds no key and no payload. */
  record Rejected(String reason) implements Reading {}

  /** A rule the user wrote passes the event over. */
  record Skipped() implements Reading {}
}
