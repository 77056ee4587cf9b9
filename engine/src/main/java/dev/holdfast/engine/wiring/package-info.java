/** Opens what the configuration names: the only place that builds and wraps stores. */
@NullMarked
package dev.holdfast.engine.wiring;

import org.jspecify.annotations.NullMarked;
