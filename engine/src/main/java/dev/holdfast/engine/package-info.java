/** What both faces stand on: configured stores, tasks and jobs. Plain Java. */
@NullMarked
package dev.holdfast.engine;

import org.jspecify.annotations.NullMarked;
