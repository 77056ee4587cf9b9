/** Configuration values of a datastore, with every option declared once. */
@NullMarked
package dev.holdfast.api.config;

import org.jspecify.annotations.NullMarked;
