#!/usr/bin/env bash
# ./dev bench: what it refuses, and that the guard can fail. A script plays the tool: each run costs 10 pairs, queries and units.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
bench=$HGRD_ROOT/tests/bench/bench

cat >player <<'SH'
#!/bin/sh
echo '{"files": [], "kernels": [], "findings": [], "messages": [], "stats": {"pairs": 10, "queries": 10, "resource_units": 10}}'
SH
chmod +x player
export HGRD_GUARD_BASELINE=$work/base.txt
run "$bench" ./player guard --no-instructions --bless
status_is 0
has base.txt '^copyUppToLow.cu queries 10$'
run "$bench" ./player guard --no-instructions
status_is 0
sed -i 's/ queries 10$/ queries 9/' base.txt
run "$bench" ./player guard --no-instructions
status_is 1
has out '^More than 5% above the baseline: queries\.'
run "$bench" ./player guard --no-instructions --tolerance 20
status_is 0
sed -i 's/ queries 9$/ queries 20/' base.txt
run "$bench" ./player guard --no-instructions
status_is 0
has out 'queries .* lower: bless it'
sed -i '/tissue.cu pairs/d' base.txt
run "$bench" ./player guard --no-instructions
status_is 1
has out '^not in the baseline: pairs of tissue.cu$'

run "$bench" ./player nonsense
status_is 1
has err "no part 'nonsense'"
run "$bench" ./player --corpus x=/nowhere
status_is 1
has err "'/nowhere' is no folder"
mkdir some && touch some/a.cu
run "$bench" ./player --corpus some=some
status_is 0
has out '^\| some \| 1 \|'

# Every file that a generator can make is a test.
ctest --test-dir "$HGRD_BUILD" -N >tests 2>err
for generator in hirace/generate scord/applications; do
  for file in $("$HGRD_ROOT/tests/suite/$generator" --list); do
    has tests "Test +#[0-9]+: suite.${generator%/*}.${file%.cu}\$"
  done
done
