/** The configuration file: reading it with every bound checked, and editing it without touching anything else in it. */
@NullMarked
package dev.holdfast.engine.config;

import org.jspecify.annotations.NullMarked;
