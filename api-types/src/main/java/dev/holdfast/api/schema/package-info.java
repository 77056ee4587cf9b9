/** Schemas as data: bounds, patterns and property strings, each with its unit and its reason. */
@NullMarked
package dev.holdfast.api.schema;

import org.jspecify.annotations.NullMarked;
