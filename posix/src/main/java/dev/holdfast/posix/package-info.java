/**
 * The one door to the operating system: what the JDK cannot do, or cannot do exactly enough.
 *
 * <p>{@link dev.holdfast.posix.PosixFiles} is the port, {@link dev.holdfast.posix.JnrPosixFiles} its implementation. All
 * names relative to a directory are bytes without a terminating zero; nothing here follows a symbolic link in the last
 * component unless it says so. Every failure is a {@link dev.holdfast.posix.PosixException} with the path and the errno.
 */
@NullMarked
package dev.holdfast.posix;

import org.jspecify.annotations.NullMarked;
