/** Values: events, business keys, positions. Every package may import it; it imports java.base. */
@NullMarked
package dev.ingest.event;

import org.jspecify.annotations.NullMarked;
