package dev.holdfast.archive.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.archive.ArrayByteSource;
import dev.holdfast.archive.Vectors;
import dev.holdfast.archive.catalog.CatalogWriter;
import dev.holdfast.archive.pxar.PxarEncoder;
import dev.holdfast.archive.pxar.PxarLimits;
import dev.holdfast.archive.pxar.PxarReader;
import dev.holdfast.posix.FileStat;
import dev.holdfast.posix.FileType;
import dev.holdfast.posix.JnrTreeFiles;
import dev.holdfast.posix.PosixException;
import dev.holdfast.posix.TreeDirectory;
import dev.holdfast.posix.TreeFile;
import dev.holdfast.posix.TreeFiles;
import dev.holdfast.posix.TreeNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Directory trees for tests, and the two ways between them and archives. */
final class Trees {

    static final TreeFiles FILES = JnrTreeFiles.load();

    /** Read-write for the owner, uid 1000 read, group read, mask read, other nothing; as setfacl writes it. */
    static final byte[] ACCESS_LIST = Vectors.unhex("02000000" + "01000600ffffffff" + "02000400e8030000"
            + "04000400ffffffff" + "10000400ffffffff" + "20000000ffffffff");

    static final byte[] DEFAULT_LIST = Vectors.unhex("02000000" + "01000700ffffffff" + "02000700e9030000"
            + "04000500ffffffff" + "08000100d2040000" + "10000700ffffffff" + "20000000ffffffff");

    private Trees() {}

    static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    /** An archive, its catalogue, and what was reported. */
    record Archived(byte[] archive, byte[] catalog, List<String> problems, ArchiveSummary summary) {
        PxarReader reader() throws IOException {
            return PxarReader.open(new ArrayByteSource(archive), null, PxarLimits.DEFAULT);
        }
    }

    static Archived archive(Path root, ArchiveOptions options) throws IOException {
        List<String> problems = new ArrayList<>();
        return archive(FILES, root, options, (problem, path, detail) -> problems.add(problem + " " + path), problems);
    }

    static Archived archive(
            TreeFiles files, Path root, ArchiveOptions options, ArchiveListener listener, List<String> problems)
            throws IOException {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        ByteArrayOutputStream catalog = new ByteArrayOutputStream();
        CatalogWriter writer = new CatalogWriter(catalog);
        writer.startArchive(b("root.pxar.didx"));
        ArchiveSummary summary =
                new TreeArchiver(PxarEncoder.version1(archive), writer, options, listener).archive(files, root);
        writer.finish();
        return new Archived(archive.toByteArray(), catalog.toByteArray(), problems, summary);
    }

    static List<String> restore(PxarReader reader, Path target, ExistingTargets existing) throws IOException {
        List<String> problems = new ArrayList<>();
        new TreeRestorer(reader, existing, (problem, path, detail) -> problems.add(problem + " " + path + " " + detail))
                .restore(FILES, target);
        return problems;
    }

    /** What a test does with random data. */
    interface Seeded {
        void run(long seed) throws IOException;
    }

    /** Runs with a new seed, and prints it if the run fails in whatever way. */
    static void withSeed(Seeded test) throws IOException {
        long seed = new Random().nextLong();
        boolean passed = false;
        try {
            test.run(seed);
            passed = true;
        } finally {
            if (!passed) {
                System.out.println("failed with seed " + seed);
            }
        }
    }

    /** Takes the attributes away that keep files from being removed; without effect where there are none. */
    static void free(Path tree) {
        try {
            new ProcessBuilder("chattr", "-R", "-i", "-a", tree.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void file(TreeDirectory parent, String name, byte[] content) throws PosixException {
        try (TreeFile file = parent.createFile(b(name), 0644)) {
            file.write(0, ByteBuffer.wrap(content));
        }
    }

    /** Fills a directory at random; as root with owners, devices, lists and capabilities too. */
    static void fill(TreeDirectory directory, Random random, boolean root, int depth) throws PosixException {
        List<byte[]> files = new ArrayList<>();
        List<byte[]> taken = new ArrayList<>();
        for (int n = random.nextInt(depth == 0 ? 14 : 6); n > 0; n--) {
            byte[] name = name(random);
            if (taken.stream().anyMatch(t -> Arrays.equals(t, name))) {
                continue;
            }
            taken.add(name);
            switch (random.nextInt(root ? 9 : 7)) {
                case 0, 1 -> {
                    directory.makeDirectory(name, 0755);
                    try (TreeDirectory child = directory.openDirectory(name)) {
                        if (depth < 4) {
                            fill(child, random, root, depth + 1);
                        }
                        decorate(child, random, root, true);
                    }
                }
                case 2, 3 -> {
                    byte[] content = new byte[random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(50)];
                    random.nextBytes(content);
                    try (TreeFile file = directory.createFile(name, 0600)) {
                        file.write(random.nextInt(5) == 0 ? 12_288 : 0, ByteBuffer.wrap(content));
                        decorate(file, random, root, true);
                    }
                    files.add(name);
                }
                case 4 -> {
                    directory.makeLink(name, name(random));
                    decorate(directory, name, random, root);
                }
                case 5 -> {
                    if (!files.isEmpty()) {
                        directory.hardLink(directory, files.get(random.nextInt(files.size())), name);
                    }
                }
                case 6 -> {
                    directory.makeNode(name, (random.nextBoolean() ? 0010000 : 0140000) | 0600, 0, 0);
                    decorate(directory, name, random, root);
                }
                default -> {
                    int type = random.nextBoolean() ? 0020000 : 0060000;
                    directory.makeNode(name, type | 0600, random.nextInt(300), random.nextInt(70_000));
                    decorate(directory, name, random, root);
                }
            }
        }
    }

    private static void decorate(TreeDirectory parent, byte[] name, Random random, boolean root) throws PosixException {
        try (TreeNode node = parent.openNode(name)) {
            decorate(node, random, root, false);
        }
    }

    private static void decorate(TreeNode node, Random random, boolean root, boolean real) throws PosixException {
        FileStat stat = new FileStat();
        node.stat(stat);
        boolean link = stat.type() == FileType.SYMLINK;
        boolean directory = stat.type() == FileType.DIRECTORY;
        if (root && random.nextInt(3) == 0) {
            node.changeOwner(random.nextInt(70_000), random.nextInt(70_000));
        }
        if (real && random.nextInt(4) == 0) {
            node.setXattr(b("user.test"), name(random));
            node.setXattr(b("user.empty"), new byte[0]);
        }
        if (root && random.nextInt(6) == 0) {
            node.setXattr(b("trusted.test"), name(random));
        }
        if (root && real && !directory && random.nextInt(6) == 0) {
            node.setXattr(b("security.capability"), Vectors.unhex("0100000200200000000000000000000000000000"));
        }
        if (!link) {
            node.changeMode((root ? random.nextInt(010000) : random.nextInt(01000)) | (directory ? 0700 : 0400));
        }
        if (!link && random.nextInt(5) == 0) {
            node.setXattr(PosixAcl.ACCESS, ACCESS_LIST);
        }
        if (directory && random.nextInt(5) == 0) {
            node.setXattr(PosixAcl.DEFAULT, DEFAULT_LIST);
        }
        node.changeTime(random.nextInt(2_000_000_000) - 1000, random.nextInt(1_000_000_000));
    }

    private static byte[] name(Random random) {
        byte[] name = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 3)];
        random.nextBytes(name);
        for (int i = 0; i < name.length; i++) {
            if (name[i] == 0 || name[i] == '/' || name[i] == '.') {
                name[i] = 'n';
            }
        }
        return name;
    }
}
