#!/usr/bin/env bash
# ./dev mutate tells survivors: of a tool that calls everything race-free all mutants survive, of hgrd-check those that are harmless.
# SPDX-License-Identifier: Apache-2.0
. "$HGRD_ROOT/tests/cli/lib.bash"
command -v python3 >/dev/null || { complain "python3 is missing"; exit 1; }
mutate=$HGRD_ROOT/tests/mutate/mutate

# The second barrier of rows is not needed, the first one is; the fence is, and so is the atomic operation.
cat >sums.cu <<'CU'
//@ args: --block-dim=64
__global__ void rows(float *out, const float *in) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x]; // if (x) __syncthreads();
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
  __syncthreads();
}
__global__ void racy(int *a) { a[0]++; __syncthreads(); }
__global__ void count(int *a) { atomicAdd(a, 1); }
CU
run "$mutate" "$HGRD_BUILD/hgrd-check" --reviewed none --operator barrier --operator atomic sums.cu
status_is 1
has out '^# sums.cu: 2 of 3 kernels proved, 3 mutants$'
has out '^sums.cu:5: barrier: racy: rows: __syncthreads\(\); => ;$'
has out '^sums.cu:7: barrier: STILL RACE-FREE: rows: __syncthreads\(\); => ;'
has out '^sums.cu:10: atomic: racy: count: '
has out '^1 new survivors, 0 reviewed$'
cp out first
run "$mutate" "$HGRD_BUILD/hgrd-check" --jobs 3 --reviewed none --operator barrier --operator atomic sums.cu
same out first

# Their texts, for a judge of another kind.
run "$mutate" "$HGRD_BUILD/hgrd-check" --reviewed none --operator barrier --keep kept sums.cu
status_is 1
[[ $(ls kept) == $'000000.cu\n000001.cu\nindex.json' ]] || complain "kept: $(ls kept)"
sed -n 5p kept/000000.cu | grep -qx '  ;' || complain "the first mutant has its barrier"
grep -q '"outcome": "survives"' kept/index.json || complain "no survivor is in the index"

# Of the instances of a template one that needs the barrier is enough.
cat >instances.cu <<'CU'
template <int N> __global__ void mirror(int *a) {
  __shared__ int s[N];
  s[threadIdx.x] = a[threadIdx.x];
  if (N > 1) __syncthreads();
  a[threadIdx.x] = s[N - 1 - threadIdx.x];
}
int main() {
  int *a;
  cudaMalloc(&a, 64 * sizeof(int));
  mirror<64><<<1, 64>>>(a);
  mirror<8><<<1, 1>>>(a);
}
CU
run "$mutate" "$HGRD_BUILD/hgrd-check" --reviewed none --operator barrier instances.cu
status_is 0
has out '^instances.cu:4: barrier: racy: mirror: '

# One more than an octal number.
cat >octal.cu <<'CU'
//@ args: --block-dim=64
__global__ void some(int *a) { if (threadIdx.x < 017) a[threadIdx.x] = 1; }
CU
run "$mutate" "$HGRD_BUILD/hgrd-check" --reviewed none --operator number octal.cu
has out '^octal.cu:2: number: STILL RACE-FREE: some: .* < 017.* => .* < 16\)'

# What was reviewed is not new.
sed -n 's/^new: //p' first | sed 's/$/\tnothing stands behind it/' >reviewed
run "$mutate" "$HGRD_BUILD/hgrd-check" --reviewed reviewed --operator barrier sums.cu
status_is 0
has out '^0 new survivors, 1 reviewed$'
echo 'sums.cu rows' >broken
run "$mutate" "$HGRD_BUILD/hgrd-check" --reviewed broken sums.cu
status_is 2
has err '^mutate: broken:1: not FILE, KERNEL'

# A tool to which everything is race-free, but for one mutant, that does not compile, and one of which it says nothing.
cat >blind <<'SH'
#!/usr/bin/env bash
for word; do [[ $word == *.cu ]] && file=$word; done
good=true
grep -q mutant_atomicAdd "$file" && good=false
! sed -n 5p "$file" | grep -qx '  ;' || [[ -z ${SILENT:-} ]] || exit 0
echo "{\"complete\": true, \"files\": [{\"path\": \"x\", \"ok\": $good}], \"findings\": [], \"kernels\": [
  {\"name\": \"rows\", \"line\": 2, \"verdict\": \"race-free\"}, {\"name\": \"racy\", \"line\": 9, \"verdict\": \"race-free\"},
  {\"name\": \"count\", \"line\": 10, \"verdict\": \"race-free\"}]}"
SH
chmod +x blind
run "$mutate" ./blind --reviewed none --operator barrier --operator atomic sums.cu
status_is 1
has out '^sums.cu:5: barrier: STILL RACE-FREE: rows: '
has out '^sums.cu:9: barrier: STILL RACE-FREE: racy: '
has out '^sums.cu:10: atomic: does not compile: count: '
has out '^all +0 +0 +3 +0 +1 +0$'
SILENT=1 run "$mutate" ./blind --reviewed none --operator barrier sums.cu
has out '^sums.cu:5: barrier: NO ANSWER \(exit status 0: no message\): rows: '

# A tool whose proofs are contradicted when they are run, which it is asked to do unless that is not wanted.
cat >refuted <<'SH'
#!/usr/bin/env bash
./blind "$@"
[[ " $* " != *" --audit "* ]] || exit 4
SH
chmod +x refuted
run "$mutate" ./refuted --reviewed reviewed --operator barrier --survivors sums.cu
status_is 1
has out '^sums.cu: CONTRADICTED BY A RUN, as it is$'
has out '^sums.cu:5: barrier: CONTRADICTED BY A RUN: rows: '
has out '^all +0 +0 +0 +3 +0 +0$'
run "$mutate" ./refuted --no-audit --reviewed none --operator barrier --survivors sums.cu
status_is 1
has_not out 'CONTRADICTED'
has out '^all +0 +0 +3 +0 +0 +0$'

# A line too many.
printf 'sums.cu\tcount\tatomic\tatomicAdd(a, 1);\tno such line\tgone\n' >>reviewed
run "$mutate" ./blind --reviewed reviewed sums.cu
status_is 1
has out '^not needed any more: reviewed:2: sums.cu count atomic$'
printf '__global__ void k( {\n' >bad.cu
run "$mutate" "$HGRD_BUILD/hgrd-check" bad.cu
status_is 2
has out '^bad.cu: does not compile, as it is$'
run "$mutate" "$HGRD_BUILD/hgrd-check" nowhere.cu
status_is 2
has err "there is no file 'nowhere.cu'"
