package dev.holdfast.api.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.model.Upid;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskAndVerifyStateTest {

    private static final String UPID = "UPID:pbs1:000002F3:00004B2A:00000007:6553F164:verify:store1:root@pam:";

    @ParameterizedTest
    @CsvSource({
        "'',running,false",
        "OK,ok,true",
        "WARNINGS: 3,warning,true",
        "WARNINGS: 0,warning,true",
        "unknown,unknown,false",
        "disk on fire,error,false",
        "WARNINGS: many,error,false",
        "'WARNINGS: 3 ',error,false",
        "WARNINGS: 9999999999999999999,error,false",
        "ok,error,false"
    })
    void exitStatus_comesBackFromItsText(String text, String filter, boolean success) {
        TaskStatus status = TaskStatus.parse(text);

        assertThat(status.text()).isEqualTo(text);
        assertThat(status.filterName()).isEqualTo(filter);
        assertThat(status.isSuccess()).isEqualTo(success);
    }

    @Test
    void statesWithoutMeaning_areRefused() {
        assertThatThrownBy(() -> new TaskStatus.Failed("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TaskStatus.Warnings(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void verifyState_comesBackFromItsMap() {
        VerifyState state = new VerifyState(Upid.parse(UPID), VerifyState.Result.FAILED);

        assertThat(state.toMap().toString()).isEqualTo("{upid=" + UPID + ", state=failed}");
        assertThat(VerifyState.fromMap(state.toMap())).isEqualTo(state);
        assertThat(VerifyState.Result.parse("ok")).isEqualTo(VerifyState.Result.OK);
    }

    @Test
    void malformedVerifyStates_areRefused() {
        assertThatThrownBy(() -> VerifyState.fromMap(Map.of("upid", UPID))).hasMessageContaining("state");
        assertThatThrownBy(() -> VerifyState.fromMap(Map.of("state", "ok"))).hasMessageContaining("upid");
        assertThatThrownBy(() -> VerifyState.fromMap(Map.of("upid", UPID, "state", "OK")))
                .hasMessageContaining("OK");
        assertThatThrownBy(() -> VerifyState.fromMap(Map.of("upid", "x", "state", "ok")))
                .hasMessageContaining("x");
        assertThatThrownBy(() -> VerifyState.fromMap(Map.of("upid", 1, "state", "ok")))
                .hasMessageContaining("upid");
    }
}
