package dev.holdfast.shell.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

    private final ShellFixture shell = new ShellFixture(List.of(Sample.class), Map.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "thing list a                                   | [a, null, false, null, []]",
                "thing list a vm/100                            | [a, vm/100, false, null, []]",
                "thing list a --all                             | [a, null, true, null, []]",
                "thing list --all a                             | [a, null, true, null, []]",
                "thing list a --all=false                       | [a, null, false, null, []]",
                "thing list a --keep-last 3                     | [a, null, false, 3, []]",
                "thing list a --keep-last=3                     | [a, null, false, 3, []]",
                "thing list a --keep-last -3                    | [a, null, false, -3, []]",
                "thing list a --key x --key=y --key=--z         | [a, null, false, null, [x, y, --z]]",
                "thing list -- --all                            | [--all, null, false, null, []]",
                "thing list -                                   | [-, null, false, null, []]",
                "thing list deep                                | deep",
                "--no-progress thing list a --quiet             | [a, null, false, null, []]",
                "thing list a --output text --config f --debug  | [a, null, false, null, []]",
            })
    void wellFormedWords_reachTheCommand(String line, String expected) {
        assertThat(shell.run(line.split(" +"))).isZero();
        assertThat(shell.out().strip()).isEqualTo(expected);
        assertThat(shell.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "thing                          | 'thing' needs a verb; verbs: list, set",
                "thing lst                      | did you mean 'thing list'?",
                "thnig list                     | did you mean 'thing'?",
                "other                          | unknown command 'other'; try 'holdfast help'",
                "thing list                     | missing NAME; usage: holdfast thing list NAME [GROUP] [--options]",
                "thing list a vm/1 x            | unexpected argument 'x'",
                "thing list a vm                | GROUP: a group is written TYPE/ID",
                "thing list a --alll            | did you mean --all?",
                "thing list a -a                | unknown option -a",
                "thing list a --all=yes         | --all is a flag",
                "thing list a --keep-last       | --keep-last needs a value",
                "thing list a --keep-last --all | --keep-last needs a value",
                "thing list a --keep-last x     | --keep-last: not a whole number: 'x'",
                "thing list a --keep-last 99999999999 | --keep-last: out of range",
                "thing list a --all --all       | --all is given twice",
                "thing list a --output xml      | --output must be text or json, not 'xml'",
                "thing list a --config=         | --config needs the path of a file",
                "thing set a                    | missing VALUES",
                "--bogus thing list             | unknown option --bogus before a command",
                "--quiet                        | no command given",
            })
    void malformedWords_areOneLineAndCode2(String line, String message) {
        assertThat(shell.run(line.split(" +"))).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).startsWith("holdfast: ").contains(message).endsWith("\n");
        assertThat(shell.err().lines()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lock   | 11  | holdfast: lock l; is held",
                "abort  | 130 | holdfast: aborted on request",
                "other  | 1   | holdfast: internal error: IllegalStateException; --debug keeps the stack trace in a file",
            })
    void failure_isOneLineWithItsCode(String how, int code, String line) {
        assertThat(shell.run("fail", how)).isEqualTo(code);
        assertThat(shell.err().strip()).isEqualTo(line);
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void warnings_giveCode3AndQuietDropsConfirmations() {
        assertThat(shell.run("thing", "set", "a", "b", "c d")).isEqualTo(3);
        assertThat(shell.out()).isEqualTo("[b, c d]\n");
        assertThat(shell.run("thing", "set", "a", "b", "--quiet")).isEqualTo(3);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.run("thing", "set", "a", "b", "--output=json")).isEqualTo(3);
        assertThat(shell.out().replaceAll("\\s", "")).isEqualTo("{\"values\":[\"b\"]}");
    }

    @Test
    void help_showsArgumentsOptionsAndExample() {
        assertThat(shell.run("thing", "list", "--help")).isZero();
        assertThat(shell.out())
                .contains("Usage: holdfast thing list NAME [GROUP] [--options]", "--keep-last N", "--key KEYS")
                .contains("--output text|json", "Example:\n  holdfast thing list a");
        assertThat(shell.run("thing", "list", "-h")).isZero();
    }

    @Test
    void script_stopsAtTheFirstFailure() throws Exception {
        String script = "# comment\n\nthing list 'a b'\nholdfast thing set a b\nfail lock\nthing list never\n";

        int code = new ScriptRunner(shell.commands()).run(new BufferedReader(new StringReader(script)), "my.hf");

        assertThat(code).isEqualTo(11);
        assertThat(shell.out()).isEqualTo("[a b, null, false, null, []]\n[b]\n");
        assertThat(shell.err()).contains("my.hf:5: stopped at 'fail lock' (exit code 11)");
    }

    @Test
    void script_withWarningsGoesOnAndTellsSo() throws Exception {
        String script = "thing set a b\nthing list a\n";

        assertThat(new ScriptRunner(shell.commands()).run(new BufferedReader(new StringReader(script)), "x"))
                .isEqualTo(3);
    }

    @Test
    void scriptWithOpenQuote_isAUsageError() throws Exception {
        int code = new ScriptRunner(shell.commands()).run(new BufferedReader(new StringReader("thing list 'a\n")), "x");

        assertThat(code).isEqualTo(2);
        assertThat(shell.err()).contains("a quote is not closed", "x:1:");
    }
}
