package dev.holdfast.archive.pxar;

import dev.holdfast.archive.ArchiveFormatException;
import dev.holdfast.archive.ByteSource;
import dev.holdfast.archive.SourceInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Where the contents of a version 2 archive come from. */
interface PayloadSource {

    /** Called for every file, in archive order. */
    void announce(EntryBody.File file) throws IOException;

    /** The contents of a file; its length is checked by the caller. */
    InputStream open(EntryBody.File file) throws IOException;

    /** Checks the header that a reference points to. */
    static void checkHeader(byte[] header, EntryBody.File file) throws ArchiveFormatException {
        if (RecordInput.longAt(header, 0) != RecordType.PAYLOAD
                || RecordInput.longAt(header, 8) - RecordType.HEADER != file.size()) {
            throw new ArchiveFormatException(
                    file.headerOffset(),
                    "no PAYLOAD record of " + file.size() + " bytes in the payload stream, where a file refers to it");
        }
    }

    /** A payload stream that is read from the front; references must not go back. */
    final class Sequential implements PayloadSource {

        private final InputStream in;
        private long position;
        private long nextHeader;
        private boolean started;

        Sequential(InputStream in) {
            this.in = in;
        }

        @Override
        public void announce(EntryBody.File file) throws IOException {
            if (!started) {
                started = true;
                byte[] marker = header();
                if (RecordInput.longAt(marker, 0) != RecordType.PAYLOAD_START_MARKER
                        || RecordInput.longAt(marker, 8) != RecordType.HEADER) {
                    throw new ArchiveFormatException(0, "the payload stream does not begin with its start marker");
                }
                nextHeader = position;
            }
            if (file.headerOffset() < nextHeader) {
                throw new ArchiveFormatException(
                        file.headerOffset(),
                        "a file refers back in the payload stream, which cannot be read from the front then");
            }
            new RecordInput(counted(), position, RecordInput.UNKNOWN_END).skip(file.headerOffset() - position);
            checkHeader(header(), file);
            nextHeader = file.headerOffset() + RecordType.HEADER + file.size();
        }

        @Override
        public InputStream open(EntryBody.File file) {
            return counted();
        }

        private byte[] header() throws IOException {
            byte[] header = in.readNBytes(RecordType.HEADER);
            if (header.length < RecordType.HEADER) {
                throw new ArchiveFormatException(position, "the payload stream ends within a record header");
            }
            position += header.length;
            return header;
        }

        private InputStream counted() {
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    int b = in.read();
                    position += b < 0 ? 0 : 1;
                    return b;
                }

                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int n = in.read(buffer, offset, length);
                    position += Math.max(n, 0);
                    return n;
                }

                @Override
                public long skip(long count) throws IOException {
                    long n = in.skip(count);
                    position += Math.max(n, 0);
                    return n;
                }
            };
        }
    }

    /** A payload stream that is read at any position. */
    final class Random implements PayloadSource {

        private final ByteSource source;

        Random(ByteSource source) {
            this.source = source;
        }

        @Override
        public void announce(EntryBody.File file) {}

        @Override
        public InputStream open(EntryBody.File file) throws IOException {
            long start = check(file);
            return new SourceInputStream(source, start, start + file.size());
        }

        /** @return where the contents begin */
        long check(EntryBody.File file) throws IOException {
            long at = file.headerOffset();
            if (at > source.size() - RecordType.HEADER - file.size()) {
                throw new ArchiveFormatException(at, "a file refers beyond the end of the payload stream");
            }
            byte[] header = new SourceInputStream(source, at, at + RecordType.HEADER).readNBytes(RecordType.HEADER);
            if (header.length < RecordType.HEADER) {
                throw new ArchiveFormatException(at, "the payload stream ends within a record header");
            }
            checkHeader(header, file);
            return at + RecordType.HEADER;
        }
    }
}
