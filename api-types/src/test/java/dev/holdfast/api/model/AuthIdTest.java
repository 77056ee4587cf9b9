package dev.holdfast.api.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthIdTest {

    @ParameterizedTest
    @ValueSource(strings = {"root@pam", "a@b!c", "first.last@corp.example@ad", "odd!name@pbs", "ünder@pbs!t-1"})
    void id_comesBackFromItsText(String text) {
        assertThat(AuthId.parse(text)).hasToString(text);
    }

    @Test
    void lastAt_separatesTheRealm() {
        assertThat(AuthId.parse("a@b@pbs!t")).isEqualTo(new AuthId("a@b", "pbs", Optional.of("t")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "???",
                "root",
                "@pam",
                "root@",
                "root@pam!",
                "root@pam!a!b",
                "ro ot@pam",
                "a:b@pam",
                "a/b@pam",
                "root@pam\n",
                "root@-pam",
                "root@pam!.t",
                "ro\u0001ot@pam"
            })
    void otherTexts_areRefused(String text) {
        assertThatThrownBy(() -> AuthId.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "a@pam,a@pam,true",
        "a@pam!t,a@pam!t,true",
        "a@pam!t,a@pam,true",
        "a@pam,a@pam!t,false",
        "a@pam!t,a@pam!u,false",
        "a@pam!t,b@pam,false",
        "a@pam!t,a@pbs,false",
        "a@pam,A@pam,false"
    })
    void ownerMatches_itselfAndTheUserOfAToken(String owner, String who, boolean matches) {
        assertThat(AuthId.parse(owner).belongsTo(AuthId.parse(who))).isEqualTo(matches);
    }
}
