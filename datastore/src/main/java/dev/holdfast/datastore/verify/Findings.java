package dev.holdfast.datastore.verify;

import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.verify.VerifyReport.Finding;
import dev.holdfast.datastore.verify.VerifyReport.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Collects what is wrong with one snapshot: lists the first, counts all. One thread. */
final class Findings {

    private record Place(String archive, ChunkDigest digest) {}

    private final List<Finding> listed = new ArrayList<>();
    private final Set<Place> places = new HashSet<>();
    private long errors;

    void file(Kind kind, String archive, String reason) {
        errors++;
        if (listed.size() < VerifyReport.MAX_LISTED) {
            listed.add(new Finding(kind, archive, Optional.empty(), -1, reason));
        }
    }

    void chunk(Kind kind, String archive, ChunkDigest digest, long offset, String reason) {
        errors++;
        if (listed.size() < VerifyReport.MAX_LISTED && places.add(new Place(archive, digest))) {
            listed.add(new Finding(kind, archive, Optional.of(digest), offset, reason));
        }
    }

    List<Finding> listed() {
        return List.copyOf(listed);
    }

    long errors() {
        return errors;
    }
}
