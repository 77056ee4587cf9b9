/*
 * One garbage collection, two backups, one prune and one crash on one group of one store.
 *
 * What is modelled: chunks with an access time that is either "old" or "not before the cutoff"; snapshots with the set of
 * chunks they refer to; the shared lock on the base snapshot; the listing of a group, newest first, one snapshot opened
 * at a time; the sweep, one chunk at a time. The grace period of the access-time cutoff is left out, so the cutoff is the
 * start of the oldest writer or of the collection itself: the hardest case.
 *
 * Switches (-D): MARK_SET     phase 1 fills a set and touches nothing (otherwise: marks by touching)
 *                TOUCH_REUSED a backup touches the chunks of its base that it names again (Holdfast's own backups do; the
 *                             clients of Proxmox Backup Server do not)
 *                NO_RETRY     seeded hole: a snapshot that vanished after it was listed is skipped
 *                RETRY_NEWEST seeded hole: the group is listed again only if the newest of the listed snapshots vanished
 *                NO_WRITER    seeded hole: the cutoff ignores running backups
 */
#define CHUNKS 3
#define SNAPS 3 /* 0 is there from the start; 1 and 2 are made by the two backups */
#define BIT(c) (1 << (c))
#define ABSENT 0
#define RUNNING 1
#define FINISHED 2

byte present = BIT(0) | BIT(1); /* chunks on disk; chunk 1 is garbage that somebody may store again */
byte fresh = 0;                 /* chunks whose access time is not before the cutoff of the collection */
byte marked = 0;                /* the set of MARK_SET */
byte state[SNAPS];
byte refs[SNAPS];
byte readers[SNAPS];            /* shared locks on a snapshot */
bool gcStarted = false;
bool gcDone = false;
bool crashed = false;
bool groupLock = false;         /* held by a running backup */
byte order[SNAPS];              /* creation rank: larger is newer */
byte nextRank = 1;

/* A touch or insert makes a chunk fresh if it happens after the cutoff: always once the collection has started, and
 * before that if this backup is one of the running writers that the cutoff respects. */
#define TOUCH(c, writer) \
    present = present | BIT(c); \
    early[writer] = early[writer] | BIT(c); \
    if \
    :: gcStarted -> fresh = fresh | BIT(c) \
    :: else -> skip \
    fi

byte early[SNAPS];              /* chunks that a running writer has touched so far */
bool writing[SNAPS];            /* holds the shared process lock */

proctype Backup(byte me) {
    byte base = 255;
    byte i;
    atomic { !groupLock -> groupLock = true };
    /* the shared lock on the newest finished snapshot, and the process lock, come before the first chunk */
    atomic {
        i = 0;
        do
        :: i < SNAPS ->
            if
            :: state[i] == FINISHED && (base == 255 || order[i] > order[base]) -> base = i
            :: else -> skip
            fi;
            i++
        :: else -> break
        od;
        if
        :: base != 255 -> readers[base]++
        :: else -> skip
        fi;
        state[me] = RUNNING;
        order[me] = nextRank;
        nextRank++;
        i = 0
    };
    writing[me] = true;
    /* name up to two chunks: one of the base's again, one stored by content */
    if
    :: base != 255 && (refs[base] & BIT(0)) ->
#ifdef TOUCH_REUSED
        atomic {
            if
            :: present & BIT(0) -> TOUCH(0, me); refs[me] = refs[me] | BIT(0)
            :: else -> skip
            fi
        }
#else
        refs[me] = refs[me] | BIT(0)
#endif
    :: skip
    fi;
    if
    :: atomic { TOUCH(1, me) }; refs[me] = refs[me] | BIT(1)
    :: atomic { TOUCH(2, me) }; refs[me] = refs[me] | BIT(2)
    :: skip
    fi;
    if
    :: atomic { !crashed -> crashed = true; /* killed: the kernel drops its locks, an unfinished snapshot stays */
            writing[me] = false;
            refs[me] = 0;
            groupLock = false;
            if
            :: base != 255 -> readers[base]--
            :: else -> skip
            fi };
        goto end
    :: skip
    fi;
    state[me] = FINISHED; /* the index has its final name */
    atomic {
        writing[me] = false;
        if
        :: base != 255 -> readers[base]--
        :: else -> skip
        fi
    };
    groupLock = false;
end:
    skip
}

/* Removes finished snapshots that nobody reads, except the newest. */
proctype Prune() {
    byte i = 0;
    byte newer;
    byte j;
    do
    :: i < SNAPS ->
        atomic {
            newer = 0;
            j = 0;
            do
            :: j < SNAPS ->
                if
                :: state[j] == FINISHED && order[j] > order[i] -> newer = 1
                :: else -> skip
                fi;
                j++
            :: else -> break
            od;
            if
            :: state[i] == FINISHED && readers[i] == 0 && newer -> state[i] = ABSENT; refs[i] = 0
            :: else -> skip
            fi
        };
        i++
    :: else -> break
    od
}

proctype Collect() {
    byte listed[SNAPS];
    byte i;
    byte best;
    bool first;
    byte c;
    byte victim;
    /* the cutoff: chunks that a running writer has touched since it began are not before it */
    atomic {
        gcStarted = true;
        i = 0;
#ifndef NO_WRITER
        do
        :: i < SNAPS ->
            if
            :: writing[i] -> fresh = fresh | early[i]
            :: else -> skip
            fi;
            i++
        :: else -> break
        od
#endif
    };
again:
    atomic {
        i = 0;
        do
        :: i < SNAPS -> listed[i] = (state[i] != ABSENT); i++
        :: else -> break
        od;
        first = true
    };
    do
    :: atomic {
            best = 255;
            i = 0;
            do
            :: i < SNAPS ->
                if
                :: listed[i] && (best == 255 || order[i] > order[best]) -> best = i
                :: else -> skip
                fi;
                i++
            :: else -> break
            od
        };
        if
        :: best == 255 -> break
        :: else -> skip
        fi;
        listed[best] = 0;
        /* open: a snapshot that is gone may have a successor that reuses its chunks and was not listed, or was listed
         * while it had no index yet */
        atomic {
            if
            :: state[best] == ABSENT ->
#ifdef NO_RETRY
                skip
#else
#ifdef RETRY_NEWEST
                if
                :: first -> goto again
                :: else -> skip
                fi
#else
                goto again
#endif
#endif
            :: state[best] == FINISHED -> /* indexes under a temporary name mark nothing */
#ifdef MARK_SET
                marked = marked | refs[best]
#else
                fresh = fresh | (refs[best] & present)
#endif
                ;
                first = false
            :: else -> first = false
            fi
        }
    od;
    c = 0;
    do
    :: c < CHUNKS ->
        atomic {
            if
            :: (present & BIT(c)) && !(fresh & BIT(c)) && !(marked & BIT(c)) -> present = present & ~BIT(c)
            :: else -> skip
            fi
        };
        c++
    :: else -> break
    od;
    gcDone = true
}

/* No finished snapshot ever refers to a chunk that is not there. */
#define WHOLE(s) (state[s] != FINISHED || (refs[s] & ~present) == 0)
ltl nothing_lost { [] (WHOLE(0) && WHOLE(1) && WHOLE(2)) }

init {
    atomic {
        state[0] = FINISHED;
        refs[0] = BIT(0);
        run Backup(1);
        run Backup(2);
        run Prune();
        run Collect()
    }
}
