/**
 * Jobs for new events: made with their rows, done by handlers of three kinds. Imports {@code
 * config} and the library; {@code run} imports it.
 */
@NullMarked
package dev.ingest.app.jobs;

import org.jspecify.annotations.NullMarked;
