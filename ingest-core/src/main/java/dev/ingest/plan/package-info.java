/**
 * Decisions: data and instants in, a plan out. Pipeline and adapters import it; it imports event
 * and java.base.
 */
@NullMarked
package dev.ingest.plan;

import org.jspecify.annotations.NullMarked;
