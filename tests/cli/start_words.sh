# What a flag or counter holds when the kernel starts: who has set it to something is named in the reason, and a word that is taken to be zero
# (A11) is named beside the verdict, in every form.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >sum.cu <<'CU'
#include <cstdio>
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
}
int ask();
int main(int argc, char **argv) {
  int *p, *c, *o, h = ask();
  cudaMalloc(&p, 4096);
  cudaMalloc(&c, 4);
  cudaMalloc(&o, 4096);
#if WAY == 1
  cudaMemset(c, argc, 4);
#elif WAY == 2
  cudaMemcpy(c, &h, 4, cudaMemcpyHostToDevice);
#elif WAY == 3
  scanf("%d", &h);
  cudaMemcpy(c, &h, 4, cudaMemcpyHostToDevice);
#elif WAY == 4
  cudaMemset(argc > 3 ? o : c, 1, 4);
#elif WAY == 5
  cudaMemset(c, 0, 4);
#endif
  sum<<<8, 64>>>(p, c, o);
}
CU
reasons=("" "'cudaMemset' at line 22 sets it" "it is h" "a copy of 'h' sets it" "'cudaMemset' at line 29 sets it")
for way in 1 2 3 4; do
  run "$HGRD_CHECK" -DWAY=$way sum.cu
  status_is 0
  has out "'sum' is undecided: .*: 'count' need not be zero when the kernel starts, since ${reasons[way]} \[undecided\]$"
done
run "$HGRD_CHECK" -DWAY=5 sum.cu
has out '^1 kernel: 1 race-free'
has_not out A11

# Nobody sets it.
run "$HGRD_CHECK" sum.cu
status_is 0
has out "note: race-free only if flags and counters .* are zero when the kernel starts \[A11\]: 'sum'$"
run "$HGRD_CHECK" -v sum.cu
has out "note: 'count' is taken to be 0 when the kernel starts \[A11\]$"
run "$HGRD_CHECK" --format=json sum.cu
has out "\"text\": \"'count' is taken to be 0 when the kernel starts \[A11\]\""
run "$HGRD_CHECK" --format=html sum.cu
has out "&#39;count&#39; is taken to be 0 when the kernel starts \[A11\]"
