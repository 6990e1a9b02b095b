/** Jobs for new events on real servers. For tests only. */
@NullMarked
package dev.ingest.app.jobs;

import org.jspecify.annotations.NullMarked;
