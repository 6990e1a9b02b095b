package dev.ingest.pipeline;

import dev.ingest.plan.Route;
import dev.ingest.plan.Routes;

/** Tells what the source did once for each route that takes the topic. Thread-safe. */
record RoutedEvents(IngestEvents listener, Routes routes) implements IngestEvents {
  @Override
  public void polled(String topic, int events) {
    for (Route route : routes.of(topic)) {
      listener.polled(route.name(), topic, events);
    }
  }

  @Override
  public void released(String topic, int events) {
    for (Route route : routes.of(topic)) {
      listener.released(route.name(), topic, events);
    }
  }
}
