/** Holds the files in {@code deploy} against what reads them. Nobody imports it. */
@NullMarked
package dev.ingest.app.deploy;

import org.jspecify.annotations.NullMarked;
