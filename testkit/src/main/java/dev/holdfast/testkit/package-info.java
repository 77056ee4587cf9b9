/** Fixtures and contract suites for tests of all modules. */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
