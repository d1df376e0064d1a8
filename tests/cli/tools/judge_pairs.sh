#!/usr/bin/env bash
# Exact pairs and extents: a label on two lines is not a line with itself, and each extent named has to be reported, no other.
# And counting in place of judging.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

cat >k.cu <<'CU'
//@ pairs: exact
//@ verdict k_bad: racy
__global__ void k_bad(int *a) {
  a[0] = // expect-race[rw](inter-block,intra-warp)
    a[1]; // expect-race[rw](inter-block,intra-warp) expect-race[rr](inter-block)
}
CU
# answer OPEN LINE LINE NOTE [EXTENT]: a race, between blocks if no extent is given
answer() {
  cat >tool <<SH
#!/bin/sh
cat <<'JSON'
{"kernels": [{"name": "k_bad", "verdict": "racy", "undecided": [$1]}],
 "findings": [{"rule": "${5:-inter-block}-race", "level": "warning", "message": "m", "certainty": "definite", "cause": "",
   "object": "a", "kernel": "k_bad", "accesses": [{"file": "k.cu", "line": $2}, {"file": "k.cu", "line": $3}],
   "notes": [{"text": "$4"}]},
   {"rule": "inter-block-race", "level": "warning", "message": "m", "certainty": "definite", "cause": "",
   "object": "a", "kernel": "k_bad", "accesses": [{"file": "k.cu", "line": 5}, {"file": "k.cu", "line": 5}]}]}
JSON
exit 1
SH
  chmod +x tool
}
judge() { run "$HGRD_ROOT/tests/run" "$work/tool" "$work/k.cu"; }
counts() {
  ./tool >json
  awk -f "$HGRD_ROOT/tests/json_flat.awk" json >flat
  run awk -v counts=1 -v status=1 -v name=k.cu -f "$HGRD_ROOT/tests/expect.awk" flat k.cu
}
lanes='the same accesses also race between lanes of one warp'
answer '' 4 5 "$lanes" && judge && status_is 0
counts && has out '^k_bad.racy.racy.2.2.0.0.0.2$'
answer '' 4 5 '' && judge && status_is 1 && has out 'k.cu:5: miss'
counts && has out '^k_bad.racy.racy.2.2.0.0.0.1$'
answer '' 4 5 'the same accesses also race between warps of one block' && judge && status_is 1 && has out 'not announced'
counts && has out '^k_bad.racy.racy.2.2.0.0.0.1$'
answer '' 4 5 "the same accesses possibly also race between blocks" intra-warp && judge && status_is 0
answer '' 4 5 '' intra-warp && judge && status_is 1 && has out 'k.cu:5: miss'
answer '' 4 4 "$lanes" && judge && status_is 1 && has out 'not announced \(lines 4 and 4\)'
counts && has out '^k_bad.racy.racy.2.1.0.1.1.1$'
answer '"why"' 4 4 "$lanes" && counts && has out '^k_bad.racy.racy.2.1.1.0.1.1$'
sed -i 's/intra-warp)/lane)/' k.cu
judge && status_is 1 && has out "no extent is called 'lane'"
