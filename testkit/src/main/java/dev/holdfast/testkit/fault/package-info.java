/**
 * Faults on purpose: {@link dev.holdfast.testkit.fault.FaultyPosixFiles} wraps the door to the operating system and fails
 * where a {@link dev.holdfast.testkit.fault.FaultPlan} says so.
 */
@NullMarked
package dev.holdfast.testkit.fault;

import org.jspecify.annotations.NullMarked;
