#!/usr/bin/env bash
# tests/random/run can fail: a tool that misses races, one that sees them everywhere, a witness that is another thread's. It goes on
# where it was interrupted.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
compare() { run "$HGRD_ROOT/tests/random/run" "$1" "$HGRD_BUILD/tests/random" 3 1; }

cat >blind <<'SH'
#!/bin/sh
echo '{"kernels": ['
for k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do echo "{\"name\": \"k$k\", \"verdict\": \"race-free\"},"; done
echo '{"name": "k19", "verdict": "race-free"}], "findings": []}'
SH
cat >anxious <<'SH'
#!/bin/sh
kernels= findings=
for k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
  kernels="$kernels{\"name\": \"k$k\", \"verdict\": \"racy\"},"
  findings="$findings{\"rule\": \"inter-block-race\", \"certainty\": \"definite\", \"kernel\": \"k$k\", \"witness\": {\"grid\": [2, 1, 1],
    \"block\": [4, 1, 1], \"threads\": [{\"block\": [0, 0, 0], \"thread\": [3, 0, 0]}, {\"block\": [1, 0, 0], \"thread\": [3, 0, 0]}],
    \"address\": \"c[3]\", \"offset\": 13, \"values\": [{\"name\": \"n\", \"value\": 1}, {\"name\": \"m\", \"value\": 0}]}},"
done
echo "{\"kernels\": [${kernels%,}], \"findings\": [${findings%,}]}"
exit 1
SH
chmod +x blind anxious

compare ./blind
status_is 1
has out '^seed 3 wrong k[0-9]+: it races .* and is called race-free$'
has_not out 'and is reported'
compare ./anxious
status_is 1
has out '^seed 3 wrong k[0-9]+: it never races and is reported$'
has out '^seed 3 wrong k[0-9]+: no race at byte 13 of c between 0\.3 and 1\.3 for n = 1, m = 0$'
has_not out 'is called race-free'

# A run that was interrupted goes on where it was, and a line that was cut off is done again.
count() { run "$HGRD_ROOT/tests/random/run" --jobs 2 --state kept ./counted "$HGRD_BUILD/tests/random" 3 "$1" 1; }
cat >counted <<'SH'
#!/bin/sh
echo again >>"$COUNTED"
echo '{"kernels": [{"name": "k0", "verdict": "undecided"}], "findings": []}'
SH
chmod +x counted
export COUNTED=$PWD/times
count 2
has out '^2 inputs, seeds 3 to 4: 2 kernels, 0 found racy'
has out '^nothing was compared$'
status_is 1
printf 'seed 5 counts mixed.clean.race-free=1 witn' >>kept
count 4
has out '^4 inputs, seeds 3 to 6: 4 kernels'
[[ $(wc -l <times) -eq 4 ]] || complain "$(wc -l <times) programs were tried instead of 4"
echo 'nothing of the kind' >kept
count 4
status_is 2
has err "'kept' is no state of such a run"
run "$HGRD_ROOT/tests/random/run" --jobs many ./counted "$HGRD_BUILD/tests/random" 3 1
status_is 2
