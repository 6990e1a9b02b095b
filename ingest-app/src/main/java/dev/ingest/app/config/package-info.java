/** Settings: read, checked, all problems at once. Every app package may import it. */
@NullMarked
package dev.ingest.app.config;

import org.jspecify.annotations.NullMarked;
