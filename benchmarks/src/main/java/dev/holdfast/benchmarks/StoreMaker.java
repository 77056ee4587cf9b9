package dev.holdfast.benchmarks;

import dev.holdfast.api.config.DatastoreTuning;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.datastore.DatastoreFactory;
import dev.holdfast.datastore.StoreEnvironment;
import dev.holdfast.datastore.StoreSettings;
import dev.holdfast.datastore.error.DatastoreException;
import dev.holdfast.datastore.layout.ChunkName;
import dev.holdfast.datastore.layout.DatastoreLayout;
import dev.holdfast.posix.JnrPosixFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.PosixFiles;
import dev.holdfast.posix.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Makes a store for measurements: all prefix directories, N chunk files with random digests, and fixed indexes that name
 * them.
 *
 * <p>Groups {@code vm/100}, {@code vm/101}, … share the chunks among them; each has as many snapshots as a chunk has
 * references, and each snapshot names all chunks of its group. Files are made in the order of a counter, digests are
 * random, and indexes name the chunks in a shuffled order, so that neither the order of digests nor that of indexes has to
 * do with the order of inodes. A chunk file has its first byte written, and a hole up to its length: a terabyte of chunks
 * fits into a few gigabytes, each with an extent of its own.
 *
 * <p>The list gets the distinct digests in the order in which a mark meets them first.
 */
final class StoreMaker {

    private static final Set<String> OPTIONS =
            Set.of("root", "list", "chunks", "dedup", "groups", "seed", "size", "prefix-bits");

    private final PosixFiles files = JnrPosixFiles.load();
    private final Options options;
    private final DatastoreLayout layout;
    private final SplittableRandom random;

    private StoreMaker(Options options) {
        this.options = options;
        layout = new DatastoreLayout(Path.of(options.required("root")));
        random = new SplittableRandom(options.number("seed", 1, 0, Long.MAX_VALUE));
    }

    /** Options: {@code --root DIR --list FILE --chunks N [--dedup 5] [--groups 16] [--seed 1] [--size MIN:MAX]
     * [--prefix-bits 0]}, the last for stores that use only the first of every 2^bits prefixes. */
    public static void main(String[] words) throws IOException, DatastoreException {
        new StoreMaker(Options.parse(words, OPTIONS)).make();
    }

    private void make() throws IOException, DatastoreException {
        int chunks = (int) options.number("chunks", 200_000, 1, 60_000_000);
        int groups = (int) options.number("groups", 16, 1, Math.min(chunks, 10_000));
        int dedup = (int) options.number("dedup", 5, 1, 1000);
        int bits = (int) options.number("prefix-bits", 0, 0, 12);

        Path root = layout.root();
        new DatastoreFactory(new StoreEnvironment(files, Clock.systemUTC(), root.resolve(".locks")))
                .create(new StoreSettings("benchmark", root, DatastoreTuning.DEFAULTS));
        byte[] digests = digests(chunks, bits);
        makeChunks(digests);
        shuffle(digests);
        Path list = Path.of(options.required("list"));
        Files.write(list, digests);
        new IndexTree(files, layout).write(new DigestList(digests), groups, dedup);
        System.err.println(chunks + " chunks, " + groups + " groups of " + dedup + " snapshots, "
                + (long) chunks * dedup + " references");
    }

    private byte[] digests(int count, int prefixBits) {
        byte[] digests = new byte[count * ChunkDigest.BYTES];
        random.nextBytes(digests);
        if (prefixBits > 0) {
            for (int i = 0; i < count; i++) {
                int at = DigestList.offset(i);
                int prefix = ((digests[at] & 0xff) << 8 | (digests[at + 1] & 0xff)) >> prefixBits;
                digests[at] = (byte) (prefix >> 8);
                digests[at + 1] = (byte) prefix;
            }
        }
        return digests;
    }

    private void makeChunks(byte[] digests) throws PosixException {
        String[] bounds = options.text("size", "512000:1536000").split(":", 2);
        long least = Long.parseLong(bounds[0]);
        long most = Long.parseLong(bounds[bounds.length - 1]);
        ByteBuffer first = ByteBuffer.wrap(new byte[] {'B'});
        for (int at = 0; at < digests.length; at += ChunkDigest.BYTES) {
            Path path = layout.chunks().resolve(ChunkName.relative(ChunkDigest.of(digests, at)));
            try (WritableFile file = files.create(path, DatastoreLayout.FILE_MODE)) {
                file.truncate(random.nextLong(least, most + 1));
                file.write(0, first.rewind());
            }
        }
    }

    private void shuffle(byte[] digests) {
        byte[] spare = new byte[ChunkDigest.BYTES];
        for (int i = digests.length / ChunkDigest.BYTES - 1; i > 0; i--) {
            int one = DigestList.offset(i);
            int other = DigestList.offset(random.nextInt(i + 1));
            System.arraycopy(digests, one, spare, 0, spare.length);
            System.arraycopy(digests, other, digests, one, spare.length);
            System.arraycopy(spare, 0, digests, other, spare.length);
        }
    }
}
