# tests/lint_names must be able to fail: names that stand in two places are planted in a small tree.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

source <(grep "^rooms=" "$HGRD_ROOT/tests/lint_borders") && mkdir "${rooms[@]}" tests frontend/cuda kernelscan/value hostscan/facts
: >tests/names
lint() { run "$HGRD_ROOT/tests/lint_names" "$work"; }
clean() { lint && status_is 0 && is_empty out; }

# A pair, and a sub-room with its door, are one thing; CUDA's names are not ours.
touch core/arena.{c,h} kernelscan/value.h kernelscan/value/value.{c,h} frontend/cuda/arena.h
clean

touch hostscan/facts/arena.c
lint
status_is 1 && has out '^one name for files that mean different things: core/arena\.c hostscan/facts/arena\.c$'
printf '# why\narena # two of them\n' >tests/names
clean
rm hostscan/facts/arena.c
lint
status_is 1 && has out '^tests/names:2: "arena" stands in one place only: take the row out$'
printf 'arena\n' >tests/names && touch hostscan/facts/arena.c
lint
status_is 1 && has out '^tests/names:1: "arena" has no reason$'

# The name of another sub-room is no door.
: >tests/names && rm hostscan/facts/arena.c
touch hostscan/facts/value.c
lint
status_is 1 && has out '^one name for files that mean different things: hostscan/facts/value\.c kernelscan/value\.h$'
