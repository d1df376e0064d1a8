#!/usr/bin/env bash
# tests/gpu: what compute-sanitizer says is held against the verdicts, with a stand-in for the compiler and for the sanitizer.
# SPDX-License-Identifier: Apache-2.0
. "$HGRD_ROOT/tests/cli/lib.bash"
command -v python3 >/dev/null || { complain "python3 is missing"; exit 1; }

# A compiler whose programs are their texts, and a sanitizer that sees a race wherever there is no barrier.
cat >nvcc <<'SH'
#!/usr/bin/env bash
while [[ $# -gt 0 ]]; do
  case $1 in -o) out=$2; shift ;; *.cu) text=$1 ;; esac
  shift
done
! grep -q 'does not compile' "$text" || { echo "$text(1): error: no"; exit 1; }
cp "$text" "$out"
SH
cat >sanitizer <<'SH'
#!/usr/bin/env bash
program=${!#}
[[ -f $program ]] || program=${*: -3:1}
echo "========= COMPUTE-SANITIZER"
[[ $* != *racecheck* ]] || grep -q '__syncthreads()' "$program" || {
  echo "========= Error: Race reported between Write access at void ns::rows<(int)4>(float *, const float *)+0x130 in x.cu:4"
  echo "=========     and Read access at other(int *)+0x160 in x.cu:6 [64 hazards]"
}
[[ $* != *synccheck* ]] || ! grep -q 'half of them' "$program" || {
  echo "========= Barrier error detected. Divergent thread(s) in block"
  echo "=========     at rows(float *, const float *)+0x90"
}
[[ -z ${BREAKS:-} ]] || { echo "========= Program hit unspecified launch failure (error 719)"; exit 1; }
echo "========= ERROR SUMMARY: 0 errors"
SH
chmod +x nvcc sanitizer
mkdir mutants
row() { # FILE OF LINE OUTCOME
  printf '{"file": "%s", "of": "%s", "include": ".", "line": %d, "operator": "barrier", "kernels": ["ns::rows<4>"], "old": "a", "new": "b", "outcome": "%s"}' "$@"
}
echo 'rows: __syncthreads()' >sums.cu
echo 'rows' >mutants/0.cu
echo 'rows: __syncthreads(); half of them' >mutants/1.cu
echo 'rows: __syncthreads()' >mutants/2.cu
echo 'does not compile' >mutants/3.cu
echo 'racy as it is' >bare.cu
cp bare.cu mutants/4.cu
echo "[$(row 0.cu sums.cu 5 racy), $(row 1.cu sums.cu 6 racy), $(row 2.cu sums.cu 7 survives), $(row 3.cu sums.cu 8 undecided), $(row 4.cu bare.cu 9 survives)]" >mutants/index.json
gpu() { run "$HGRD_ROOT/tests/gpu/mutants" --nvcc ./nvcc --sanitizer ./sanitizer "$@"; }
gpu mutants
status_is 0
has out '^racy, seen by racecheck: 1$'
has out '^racy, seen by synccheck: 1$'
has out '^survives, nothing seen: 1$'
has out '^undecided, does not compile: 1$'
has out '^survives, seen as before: 1$'

# The same race in a mutant that is called race-free is a contradiction.
sed -i 's/"outcome": "racy"/"outcome": "survives"/g' mutants/index.json
gpu --jobs 3 mutants
status_is 1
has out '^sums.cu:5: barrier: seen by racecheck, and called race-free: a => b$'
has out '^sums.cu:6: barrier: seen by synccheck, and called race-free: a => b$'
BREAKS=1 gpu mutants
has out '^survives, the run broke off: 1$'
run "$HGRD_ROOT/tests/gpu/mutants" nowhere
status_is 2
has err 'nowhere/index.json.*make it by ./dev mutate --keep'

# Random kernels: a tool that calls all of them race-free is contradicted, one that calls them racy is not.
cat >blind <<'SH'
#!/usr/bin/env bash
echo "{\"findings\": [], \"kernels\": [{\"name\": \"rows\", \"verdict\": \"${VERDICT:-race-free}\"}]}"
SH
cat >maker <<'SH'
#!/usr/bin/env bash
echo "seed $1"
SH
chmod +x blind maker
random() { run "$HGRD_ROOT/tests/gpu/random" --nvcc ./nvcc --sanitizer ./sanitizer ./blind ./maker 7 2; }
random
status_is 1
has out '^seed 7 rows .*: a GPU sees a race in shared memory, and it is called race-free$'
has out '^kernels race-free, seen by racecheck: 2$'
VERDICT=racy random
status_is 0
has out '^kernels racy, seen by racecheck: 2$'
