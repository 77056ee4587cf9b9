/**
 * From words to a command and its exit code: grammar, catalogue of commands, binding of words to parameters, help, errors.
 * Stands on Spring Shell's annotations, registry and command model; its parser and runner are replaced, because they split
 * arguments at blanks, lose exit codes and do not know flags.
 */
@NullMarked
package dev.holdfast.shell.line;

import org.jspecify.annotations.NullMarked;
