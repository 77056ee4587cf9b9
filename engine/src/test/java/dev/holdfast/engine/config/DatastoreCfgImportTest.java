package dev.holdfast.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.config.BackendConfig;
import dev.holdfast.api.config.DatastoreConfig;
import dev.holdfast.api.config.KeepOptions;
import dev.holdfast.api.config.MaintenanceMode;
import dev.holdfast.api.config.SyncLevel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DatastoreCfgImportTest {

    @Test
    void sections_becomeStores() {
        DatastoreCfgImport.Result result = DatastoreCfgImport.parse("datastore: store1\n"
                + "\tcomment Nightly backups, of everything\n"
                + "\tgc-schedule sat 03:00\n"
                + "\tkeep-daily 7\n"
                + "\tkeep-last 3\n"
                + "\tmaintenance-mode type=read-only,message=moving%20house\n"
                + "\tnotify-user root@pam\n"
                + "\tpath /mnt/datastore/store 1\n"
                + "\ttuning sync-level=file,gc-atime-cutoff=60,from-the-future=1\n"
                + "\tverify-new true\n"
                + "\n"
                + "datastore: cloud\n"
                + "\tbackend type=s3,client=aws,bucket=backups,max-cache-size=32GiB\n"
                + "\tpath /var/cache/cloud\n");

        assertThat(result.datastores()).extracting(DatastoreConfig::name).containsExactly("store1", "cloud");
        DatastoreConfig store1 = result.datastores().get(0);
        assertThat(store1.path()).isEqualTo("/mnt/datastore/store 1");
        assertThat(store1.extras().comment()).contains("Nightly backups, of everything");
        assertThat(store1.extras().gcSchedule()).contains("sat 03:00");
        assertThat(store1.extras().keep()).isEqualTo(KeepOptions.of(Map.of("last", 3, "daily", 7)));
        assertThat(store1.extras().maintenance()).contains(MaintenanceMode.READ_ONLY);
        assertThat(store1.tuning().syncLevel()).isEqualTo(SyncLevel.FILE);
        assertThat(store1.tuning().toPropertyString())
                .isEqualTo("sync-level=file,gc-atime-cutoff=60,from-the-future=1");
        assertThat(result.datastores().get(1).backend())
                .isEqualTo(BackendConfig.parse("s3,client=aws,bucket=backups,max-cache-size=32 GiB"));
        assertThat(result.warnings())
                .containsExactly(
                        "store1: the message of the maintenance mode is not taken over",
                        "store1: option 'notify-user' is not taken over",
                        "store1: option 'verify-new' is not taken over",
                        "cloud: the S3 client 'aws' is configured elsewhere (s3.cfg); enter it below s3-clients");
    }

    @Test
    void defaultKeysOfPropertyStrings_areTaken() {
        DatastoreCfgImport.Result result = DatastoreCfgImport.parse(
                "datastore: store1\n\tpath /s\n\tmaintenance-mode offline\n\tbackend filesystem\n");

        assertThat(result.datastores().get(0).extras().maintenance()).contains(MaintenanceMode.OFFLINE);
        assertThat(result.datastores().get(0).backend()).isEqualTo(BackendConfig.FILESYSTEM);
        assertThat(result.warnings()).isEmpty();
    }

    @Test
    void modeThatIsNotKnownHere_closesTheStoreAndIsReported() {
        DatastoreCfgImport.Result result =
                DatastoreCfgImport.parse("datastore: store1\n\tpath /s\n\tmaintenance-mode s3-refresh\n");

        assertThat(result.datastores().get(0).extras().maintenance()).contains(MaintenanceMode.OFFLINE);
        assertThat(result.warnings()).containsExactly("store1: maintenance mode 's3-refresh' is taken over as offline");
    }

    @Test
    void sectionsThatCannotBeTaken_areReportedAndTheOthersAreTaken() {
        DatastoreCfgImport.Result result = DatastoreCfgImport.parse("stray: x\n\tpath /never\n"
                + "datastore: removable\n\tbacking-device 1111-2222\n\tpath rel\n\n"
                + "datastore: nopath\n\tcomment x\n\n"
                + "datastore: badtune\n\tpath /b\n\ttuning gc-atime-cutoff=5000\n\n"
                + "datastore: badkeep\n\tpath /k\n\tkeep-last many\n\n"
                + "datastore: ab\n\tpath /ab\n\n"
                + "# a comment\r\n"
                + "datastore: good\r\n\tpath /g\r\n\tpath /g2\r\n");

        assertThat(result.datastores()).containsExactly(DatastoreConfig.of("good", "/g2"));
        assertThat(result.warnings()).hasSize(7);
        List<String> about =
                List.of("line 1", "removable", "nopath", "badtune", "badkeep", "ab:", "'path' stands twice");
        for (String word : about) {
            assertThat(result.warnings()).anyMatch(warning -> warning.contains(word));
        }
        assertThat(result.warnings())
                .anyMatch(warning -> warning.contains("from 1 to 2880") && warning.contains("5000"));
    }

    @Test
    void emptyFile_hasNoStores() {
        assertThat(DatastoreCfgImport.parse("").datastores()).isEmpty();
        assertThat(DatastoreCfgImport.parse("\tpath /orphan\n").datastores()).isEmpty();
    }
}
