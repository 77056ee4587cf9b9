#!/bin/bash
# gc.sh: measures garbage collection on filesystems in loop-mounted images. Run it with --help.
set -eu

usage() {
    cat <<'TEXT'
usage: benchmarks/gc.sh [options]

Makes a store in a new ext4, xfs or btrfs image, runs each variant once per round, the variants of a round one after the
other, and prints a table of medians. Needs root, loop devices, a JDK 17 and Maven, and the mkfs programs. Removes its
images and mounts at the end, however it ends.

  --chunks N            chunks of the store (200000)
  --filesystems LIST    of ext4, xfs, btrfs, with commas (all three)
  --modes LIST          of warm, cold (both). cold: unmounted, device flushed and mounted again before each run
  --rounds N            (5)
  --variants LIST       measure/variant with commas; measures gc, mark, touch; see docs/benchmarks.md (all)
  --batch N             digests of a batch (1048576)
  --dedup N             references per chunk (5)
  --prefix-bits N       use only the first of every 2^N prefixes: the directories are as full as in a store of N * 2^N
                        chunks (0)
  --image-size SIZE     apparent size of an image, as for truncate (by the number of chunks)
  --scratch DIR         where the images go (a new directory below $TMPDIR or /tmp)
  --out DIR             where results.csv, the table and the plots go (benchmarks/target/gc)
  --append              add to results.csv instead of replacing it
  --native PROGRAM      a program that touches only, run in the same rounds as touch/native:...; it is called as
                        PROGRAM -d STORE -l LIST -v D | -v O | -v P -k WORKERS, and prints one line of comma-separated
                        fields: 4 touched, 5 missing, 6 directories opened, 7 seconds, 8 and 9 processor seconds
  --command NAME=CMD    any other command as a variant of the measure gc: {store} and {list} are filled in, the time is
                        its wall time; may be given several times
  --slow-disk NAME=CMD  puts the device behind a delay: CMD, with {image} and {mountpoint} filled in, is a program that
                        stays in the foreground and shows the image as the file {mountpoint}/disk until it is told to
                        stop by SIGTERM; NAME is the name in the table
  --no-jvm-warm-up      measure a new JVM instead of one that has done the same on a small store
  --no-build            do not build first
TEXT
}

fail() {
    printf 'gc.sh: %s\n' "$1" >&2
    exit 1
}

say() {
    printf 'gc.sh: %s\n' "$1" >&2
}

home=$(cd "$(dirname "$0")/.." && pwd -P)
chunks=200000 filesystems=ext4,xfs,btrfs modes=warm,cold rounds=5 batch=1048576 dedup=5 bits=0 size='' variants=''
scratch='' out=$home/benchmarks/target/gc append=0 native='' slow='' slow_name=none warm_up=1 build=1
commands=()
while [ $# -gt 0 ]; do
    case $1 in
        --help | -h) usage; exit 0 ;;
        --append) append=1; shift; continue ;;
        --no-jvm-warm-up) warm_up=0; shift; continue ;;
        --no-build) build=0; shift; continue ;;
    esac
    [ $# -ge 2 ] || { usage >&2; exit 2; }
    case $1 in
        --chunks) chunks=$2 ;;
        --filesystems) filesystems=$2 ;;
        --modes) modes=$2 ;;
        --rounds) rounds=$2 ;;
        --variants) variants=$2 ;;
        --batch) batch=$2 ;;
        --dedup) dedup=$2 ;;
        --prefix-bits) bits=$2 ;;
        --image-size) size=$2 ;;
        --scratch) scratch=$2 ;;
        --out) out=$2 ;;
        --native) native=$2 ;;
        --command) commands+=("$2") ;;
        --slow-disk) slow_name=${2%%=*} slow=${2#*=} ;;
        *) printf 'gc.sh: unknown option %s\n' "$1" >&2; usage >&2; exit 2 ;;
    esac
    shift 2
done
for number in "$chunks" "$rounds" "$batch" "$dedup" "$bits"; do
    case $number in '' | *[!0-9]*) fail "not a number: '$number'" ;; esac
done
if [ -z "$variants" ]; then
    variants=gc/direct,gc/list-then-direct,gc/batch-list,gc/batch-open,gc/batch:1,gc/batch:2,gc/batch:8,gc/batch:32
    variants=$variants,gc/mark-set,gc/dry-run,touch/direct,touch/batch:1,touch/batch:2
    [ -z "$native" ] || variants=$variants,touch/native:direct,touch/native:batch:1,touch/native:batch:2
fi

# --- what must be there ------------------------------------------------------------------------------------------------
[ "$(id -u)" = 0 ] || fail "it mounts images, so it must run as root"
IFS=, read -ra filesystem_list <<<"$filesystems"
IFS=, read -ra mode_list <<<"$modes"
IFS=, read -ra variant_list <<<"$variants"
for fs in "${filesystem_list[@]}"; do
    case $fs in ext4 | xfs | btrfs) ;; *) fail "no filesystem of this script: '$fs'" ;; esac
    command -v "mkfs.$fs" >/dev/null || fail "there is no mkfs.$fs"
done
for program in losetup blockdev java; do
    command -v $program >/dev/null || fail "there is no $program"
done
[ -z "$native" ] || [ -x "$native" ] || fail "$native is not executable"
for ((i = 0; i < ${#commands[@]}; i++)); do
    variant_list+=("gc/${commands[i]%%=*}")
done

made_scratch=0
if [ -z "$scratch" ]; then
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/gc-bench.XXXXXX")
    made_scratch=1
fi
mkdir -p "$scratch" "$out"

# A chunk takes a block, an inode, a name and its references; a gigabyte for journal and directories.
needed_kb=$((chunks * 7 + chunks * dedup / 16 + 1048576))
free_kb=$(df -Pk "$scratch" | awk 'NR == 2 {print $4}')
[ "$free_kb" -gt "$needed_kb" ] || fail "$scratch has $((free_kb >> 20)) GiB free; this needs $((needed_kb >> 20)) GiB"
[ -n "$size" ] || size=$((chunks * 24 / 1048576 + 8))G

# --- whatever happens, leave nothing behind ----------------------------------------------------------------------------
image='' loop='' mounted=0 slow_pid='' mount=$scratch/store slow_mount=$scratch/slow
unmount() {
    [ $mounted = 0 ] || umount "$mount" || { sleep 1; umount "$mount"; }
    mounted=0
}
detach() {
    unmount
    [ -z "$loop" ] || losetup -d "$loop"
    loop=''
    if [ -n "$slow_pid" ]; then
        kill "$slow_pid" 2>/dev/null || true
        wait "$slow_pid" 2>/dev/null || true
        slow_pid=''
    fi
}
clean_up() {
    trap - EXIT INT TERM
    detach || true
    rm -rf "${warm_store:-}"
    [ -z "$image" ] || rm -f "$image" "$image.list"
    rmdir "$mount" "$slow_mount" 2>/dev/null || true
    [ $made_scratch = 0 ] || rmdir "$scratch" 2>/dev/null || true
}
trap clean_up EXIT
trap 'say "stopping when the current run ends"; exit 130' INT TERM
mkdir -p "$mount" "$slow_mount"

# --- build -------------------------------------------------------------------------------------------------------------
if [ $build = 1 ]; then
    say "building"
    (cd "$home" && mvn -q -pl benchmarks -am -DskipTests package)
fi
classes="$home/benchmarks/target/classes:$home/benchmarks/target/lib/*"
main=dev.holdfast.benchmarks
# A fixed heap and the serial collector: no second thread that takes a processor away from the workers.
run_java() {
    java -Xms512m -Xmx512m -XX:+UseSerialGC -XX:+AlwaysPreTouch -cp "$classes" "$@"
}

warm_store=''
warm_options=()
if [ $warm_up = 1 ]; then
    memory=/dev/shm
    [ -d $memory ] && [ -w $memory ] || memory=$scratch
    warm_store=$(mktemp -d $memory/gc-bench.XXXXXX)
    run_java $main.StoreMaker --root "$warm_store/store" --list "$warm_store/list" --chunks 60000 --size 1:1
    warm_options=(--warm-up "$warm_store/store" --warm-up-list "$warm_store/list")
fi

# --- devices -----------------------------------------------------------------------------------------------------------
attach() {
    local back=$image
    if [ "$1" = slow ]; then
        local line=${slow//\{image\}/$image}
        line=${line//\{mountpoint\}/$slow_mount}
        $line & # words are split on purpose
        slow_pid=$!
        for ((i = 0; i < 50; i++)); do
            [ -e "$slow_mount/disk" ] && break
            sleep 0.1
        done
        back=$slow_mount/disk
        [ -e "$back" ] || fail "the slow disk did not appear as $back"
    fi
    loop=$(losetup -f --show --direct-io=on "$back")
}
mount_image() {
    local mount_options=defaults
    # Otherwise ext4 goes on writing inode tables after each mount.
    [ "$fs" != ext4 ] || mount_options=noinit_itable
    mount -o $mount_options "$loop" "$mount"
    mounted=1
}
make_image() {
    image=$scratch/$fs.img
    rm -f "$image"
    truncate -s "$size" "$image"
    case $fs in
        ext4) mkfs.ext4 -q -F "$image" ;;
        xfs) mkfs.xfs -q -f "$image" ;;
        btrfs) mkfs.btrfs -q -f "$image" ;;
    esac
    attach fast
    mount_image
    run_java $main.StoreMaker --root "$mount/store" --list "$image.list" --chunks "$chunks" --dedup "$dedup" \
        --prefix-bits "$bits"
    sync -f "$mount"
    detach
}

# --- one run -----------------------------------------------------------------------------------------------------------
replace() {
    local text=${1//\{store\}/$mount/store}
    printf '%s' "${text//\{list\}/$image.list}"
}
# Prints the columns of MarkBenchmark for a program that touches only.
run_native() {
    local words=()
    case $1 in
        direct) words=(-v D) ;;
        batch:1) words=(-v O) ;;
        batch:*) words=(-v P -k "${1#batch:}") ;;
        *) fail "no variant of a native program: $1" ;;
    esac
    "$native" -d "$mount/store" -l "$image.list" "${words[@]}" -b "$batch" |
        awk -F, '{printf "0,%d,%d,%d,%.4f,%.4f,%.4f\n", $4, $5, $6, $7, $7, $8 + $9}'
}
run_command() {
    local line began ended
    line=$(replace "$1")
    began=$(date +%s%N)
    $line >&2 || return
    ended=$(date +%s%N)
    awk -v ns=$((ended - began)) 'BEGIN {printf "0,0,0,0,%.4f,%.4f,0\n", ns / 1e9, ns / 1e9}'
}
run_variant() {
    local measure=${1%%/*} variant=${1#*/} i
    for ((i = 0; i < ${#commands[@]}; i++)); do
        if [ "$measure/$variant" = "gc/${commands[i]%%=*}" ]; then
            run_command "${commands[i]#*=}"
            return
        fi
    done
    case $variant in
        native:*) run_native "${variant#native:}" ;;
        *) run_java $main.MarkBenchmark --root "$mount/store" --list "$image.list" --measure "$measure" \
            --variant "$variant" --batch "$batch" "${warm_options[@]}" ;;
    esac
}
device_reads() {
    awk '{print $1, $3}' "/sys/block/$(basename "$loop")/stat"
}

csv=$out/results.csv
[ $append = 1 ] && [ -s "$csv" ] ||
    echo "fs,disk,mode,chunks,round,measure,variant,references,touched,missing,opened,mark_s,total_s,cpu_s,reads,read_mb" >"$csv"
for fs in "${filesystem_list[@]}"; do
    say "making a store of $chunks chunks on $fs"
    make_image
    if [ -n "$slow" ]; then attach slow; else attach fast; fi
    for mode in "${mode_list[@]}"; do
        skipped=' '
        mount_image
        for ((round = 1; round <= rounds; round++)); do
            say "$fs $mode: round $round of $rounds"
            for variant in "${variant_list[@]}"; do
                case $skipped in *" $variant "*) continue ;; esac
                sync -f "$mount"
                if [ "$mode" = cold ]; then
                    unmount
                    blockdev --flushbufs "$loop"
                    mount_image
                else
                    find "$mount/store/.chunks" -size +0 -printf '' # looks at every inode
                fi
                sync -f "$image"
                read -r reads_before sectors_before < <(device_reads)
                code=0
                line=$(run_variant "$variant") || code=$?
                if [ $code = 4 ]; then
                    skipped="$skipped$variant "
                    continue
                fi
                [ $code = 0 ] || fail "$variant ended with code $code"
                read -r reads_after sectors_after < <(device_reads)
                echo "$fs,$slow_name,$mode,$chunks,$round,${variant/\//,},$line,$((reads_after - reads_before)),$(((sectors_after - sectors_before) / 2048))" |
                    tee -a "$csv"
            done
        done
        unmount
    done
    detach
    rm -f "$image" "$image.list"
    image=''
done
run_java $main.Summary --csv "$csv" --out "$out" >"$out/summary.md"
cat "$out/summary.md"
