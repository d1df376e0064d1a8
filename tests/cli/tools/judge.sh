# tests/run must be able to fail: a stand-in for the tool gives fixed answers to a file with known expectations.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1

cat >k.cu <<'CU'
//@ verdict k_ok: race-free
//@ verdict k_bad: racy
__global__ void k_ok(int *a) { // expect-clean
  a[threadIdx.x] = 1;
}
__global__ void k_bad(int *a) {
  a[0] = a[1]; // expect-race {{[-Winter-block-race]}}
}
CU

# answer VERDICT_OK VERDICT_BAD RULE LINE LINE STATUS
answer() {
  cat >tool <<SH
#!/bin/sh
cat <<'JSON'
{"kernels": [{"name": "k_ok(int*)", "verdict": "$1", "undecided": []},
             {"name": "void n::k_bad<3>(int*)", "verdict": "$2", "undecided": []}],
 "findings": [{"rule": "$3", "level": "warning", "message": "m", "certainty": "definite", "cause": "",
   "object": "a", "kernel": "k_bad(int*)", "accesses": [{"file": "k.cu", "line": $4}, {"file": "k.cu", "line": $5}]}]}
JSON
exit $6
SH
  chmod +x tool
}
judge() { run "$HGRD_ROOT/tests/run" "$work/tool" "$work/k.cu"; }
excuse() { { echo "//@ known-$1: a reason"; sed '/^\/\/@ known/d' k.cu; } >k2.cu && mv k2.cu k.cu; }

answer race-free racy inter-block-race 7 7 1 && judge && status_is 0
answer race-free racy inter-block-race 7 7 0 && judge && status_is 1 # exit status does not fit the warning
answer race-free racy inter-block-race 4 7 1 && judge && status_is 1 && has out 'not announced'
answer race-free racy intra-warp-race 7 7 1 && judge && status_is 1 && has out 'k.cu:7: miss'
answer racy racy inter-block-race 7 7 1 && judge && status_is 1 && has out 'false-alarm: k_ok'
answer race-free race-free inter-block-race 7 7 1 && judge && status_is 1 && has out 'miss: k_bad'
answer undecided racy inter-block-race 7 7 1 && judge && status_is 1 && has out 'undecided: k_ok'

excuse 'undecided k_ok' # one line more at the top from here on
answer undecided racy inter-block-race 8 8 1 && judge && status_is 0
answer racy racy inter-block-race 8 8 1 && judge && status_is 1
answer race-free racy inter-block-race 8 8 1 && judge && status_is 1 && has out 'unexpected success'
excuse 'false-alarm'
answer racy racy inter-block-race 8 8 1 && judge && status_is 0

printf '#!/bin/sh\nkill -SEGV $$\n' >tool && judge && status_is 1 && has out 'no answer'
printf '#!/bin/sh\necho "{"\n' >tool && judge && status_is 1 && has out 'not JSON'

# Rules that the answer lists, and rules that it has not.
cat >r.cu <<'CU'
//@ verdict r_ok: race-free
//@ rule r_ok: flag !lock
__global__ void r_ok(int *a) { // expect-clean
  a[threadIdx.x] = 1;
}
CU
ordered() {
  printf '#!/bin/sh\necho '\''{"kernels": [{"name": "r_ok(int*)", "verdict": "race-free", "ordered": [%s], "undecided": []}], "findings": []}'\''\n' "$1" >tool
  run "$HGRD_ROOT/tests/run" "$work/tool" "$work/r.cu"
}
ordered '{"rule": "count"}, {"rule": "flag"}' && status_is 0
ordered '{"rule": "flag-per-round"}' && status_is 1 && has out 'r_ok is ordered by flag-per-round, expected flag'
ordered '{"rule": "flag"}, {"rule": "lock"}' && status_is 1 && has out 'expected !lock'
ordered '' && status_is 1 && has out 'expected flag'
