# --audit: what is race-free is run. Proofs that are right stand, and nothing else in the report changes; that a wrong one
# would be told is looked at where one can be forged (tests/unit/kernelscan_audit.c).
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
# Ordered by a flag and by the last arrival, which sets the counter back by a plain store; nothing but runs of many
# threads in many orders says whether that is so.
cat >ordered.cu <<'CU'
__global__ void hand_over(int *flag, int *data, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0);
    __threadfence();
    out[0] = data[0];
  }
}
__global__ void sum(int *part, int *count, int *out) {
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  int all = 0;
  for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) all += part[i];
  out[threadIdx.x] = all;
  if (threadIdx.x == 0) *count = 0;
}
CU

for file in clean racy ordered; do
  run "$HGRD_CHECK" --format=json $file.cu
  mv out plain
  before=$status
  run "$HGRD_CHECK" --format=json --audit $file.cu
  status_is $before
  same plain out
  is_empty err
done

# All contents may be chosen, launches before are run, and warps go in lock step below sm_70.
for option in --memory-model=ptx --arch=sm_60 --strict --same-value=warn; do
  run "$HGRD_CHECK" -q --audit "$option" clean.cu ordered.cu
  has_not out 'audit:'
  has_not err 'audit:'
done

# Dumps are of the analysis, not of the audit.
run "$HGRD_CHECK" --dump=goals ordered.cu
mv out plain
run "$HGRD_CHECK" --dump=goals --audit ordered.cu
same plain out
# Arrays that rounds of launches fill: what the rounds that are run have left as it was says nothing.
run "$HGRD_CHECK" --audit "$HGRD_ROOT/tests/kernels/host_contents_rounds.cu"
status_is 1 && has_not err 'audit:' && has out "'set_all' is undecided"
# A counter that the launches before have counted up begins at what the host has set it to since.
run "$HGRD_CHECK" --audit '--kernel=^goals_ok' "$HGRD_ROOT/tests/kernels/order_rounds.cu"
status_is 0 && has_not err 'audit:'
run "$HGRD_CHECK" --audit=3 clean.cu
status_is 2
# A bit is left in the word that blocks wait for: the wait orders nothing then, which is said, and no run contradicts that.
cat >left.cu <<'CU'
__global__ void set_word(int *f, int v) { f[0] = v; }
__global__ void gather(int *a, int *b, int *f) {
  if (threadIdx.x == 0) {
    a[blockIdx.x] = 1;
    __threadfence();
    atomicOr(&f[0], 1 << blockIdx.x);
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    while ((atomicAdd(&f[0], 0) & (1 << gridDim.x) - 1) != (1 << gridDim.x) - 1);
    __threadfence();
    for (int k = 0; k < (int)gridDim.x; k++) b[k] = a[k];
  }
}
int main() {
  int *a, *b, *f;
  cudaMalloc(&a, 256 * sizeof(int));
  cudaMalloc(&b, 256 * sizeof(int));
  cudaMalloc(&f, 64 * sizeof(int));
  set_word<<<1, 1>>>(f, WORD);
  gather<<<4, 32>>>(a, b, f);
}
CU
run "$HGRD_CHECK" --audit left.cu -- -DWORD=2
status_is 0 && has out "undecided: 'f' is 2 when the kernel starts" && is_empty err
run "$HGRD_CHECK" --audit left.cu -- -DWORD=0
status_is 0 && has out '2 race-free' && is_empty err
