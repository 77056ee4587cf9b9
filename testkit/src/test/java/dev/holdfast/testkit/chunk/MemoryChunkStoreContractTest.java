package dev.holdfast.testkit.chunk;

import dev.holdfast.datastore.chunk.ChunkStore;
import java.time.Clock;
import java.time.Instant;

class MemoryChunkStoreContractTest extends ChunkStoreContract {

    @Override
    protected Subject create() {
        MemoryChunkStore store = new MemoryChunkStore(Clock.systemUTC());
        return new Subject() {
            @Override
            public ChunkStore store() {
                return store;
            }

            @Override
            public void setAccess(String name, Instant access) {
                store.setAccess(name, access);
            }
        };
    }
}
