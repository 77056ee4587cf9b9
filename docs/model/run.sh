#!/usr/bin/env bash
# Checks gc.pml in every mode, and that each seeded hole is found. Needs spin and a C compiler.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
for tool in spin gcc; do
  command -v "$tool" >/dev/null || { echo "the model is NOT checked: $tool is not installed" >&2; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0

check() { # expectation (holds|broken), switches...
  local expected=$1 found
  shift
  spin -a "$@" "$here/gc.pml" >/dev/null
  gcc -O2 -w -o pan pan.c
  ./pan -a -m1000000 >pan.out 2>&1 || true
  if grep -q 'max search depth too small\|out of memory' pan.out; then
    found=incomplete
  elif grep -q 'errors: 0' pan.out; then
    found=holds
  else
    found=broken
  fi
  local states
  states=$(awk '/states, stored/ {print $1; exit}' pan.out)
  printf '%-8s expected %-8s %10s states   %s\n' "$found" "$expected" "$states" "${*:-(direct marks, foreign clients)}"
  [ "$found" = "$expected" ] || failures=$((failures + 1))
}

check holds
check holds -DTOUCH_REUSED
check holds -DMARK_SET
check holds -DMARK_SET -DTOUCH_REUSED
check broken -DNO_RETRY
check broken -DRETRY_NEWEST
check broken -DMARK_SET -DNO_RETRY
check broken -DMARK_SET -DRETRY_NEWEST
check broken -DNO_WRITER
check broken -DNO_WRITER -DTOUCH_REUSED
check broken -DMARK_SET -DNO_WRITER
[ "$failures" = 0 ] || { echo "$failures configurations did not come out as expected" >&2; exit 1; }
