/**
 * Real faults, one by one, against a {@code run} process under load, with the same ending after
 * each. For tests only.
 */
@NullMarked
package dev.ingest.app.faults;

import org.jspecify.annotations.NullMarked;
