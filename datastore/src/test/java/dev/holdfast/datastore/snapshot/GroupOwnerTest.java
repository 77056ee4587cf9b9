package dev.holdfast.datastore.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupOwnerTest {

    @ParameterizedTest
    @ValueSource(strings = {"root@pam", "a.b-c@pbs!token_1", "me@example.org@ldap", "ü@pbs", "a!b@pbs"})
    void validOwner_isWrittenAsItWasRead(String text) {
        assertThat(GroupOwner.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "root",
                "@pam",
                "root@",
                "root@-x",
                "root@pam!",
                "root@pam!-t",
                "a b@pam",
                "a:b@pam",
                "a/b@pam",
                "root@pam\n",
                "a\u0007b@pam",
                "a\u00a0b@pam",
                "root@pam!t!u"
            })
    void otherText_isRefused(String text) {
        assertThatThrownBy(() -> GroupOwner.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void token_isNoPartOfTheUser() {
        assertThat(GroupOwner.parse("me@pbs!t").user()).isEqualTo("me@pbs");
        assertThat(GroupOwner.parse("me@pbs!t").token()).contains("t");
    }

    @ParameterizedTest
    @CsvSource({
        "me@pbs, me@pbs, true",
        "me@pbs!t, me@pbs!t, true",
        "me@pbs!t, me@pbs, true",
        "me@pbs, me@pbs!t, false",
        "me@pbs!t, me@pbs!u, false",
        "me@pbs, you@pbs, false",
        "me@pbs!t, you@pbs, false"
    })
    void owner_admitsItselfAndTheUserOfItsToken(String owner, String other, boolean admitted) {
        assertThat(GroupOwner.parse(owner).admits(GroupOwner.parse(other))).isEqualTo(admitted);
    }
}
