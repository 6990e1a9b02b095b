/** Sends lines of JSON to a topic, for trials and demos. */
@NullMarked
package dev.ingest.app.send;

import org.jspecify.annotations.NullMarked;
