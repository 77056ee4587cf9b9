package dev.holdfast.datastore.manifest;

import dev.holdfast.api.model.ArchiveName;
import dev.holdfast.api.model.ChunkDigest;
import dev.holdfast.api.model.CryptMode;

/**
 * One file of a snapshot as its manifest lists it.
 *
 * @param name the server's name
 * @param cryptMode how its content is protected
 * @param size logical size of an index; length of an encoded blob
 * @param checksum index checksum; SHA-256 of an encoded blob
 */
public record ManifestEntry(ArchiveName name, CryptMode cryptMode, long size, ChunkDigest checksum) {}
