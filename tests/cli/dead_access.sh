# An access that no thread makes under the launch is told as such, and is no proof for what it might race with. So is an early
# return before a barrier, which is right from sm_70 on.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >guarded.cu <<'CU'
#include <cassert>
__global__ void fill(float *a, int n) {
  a[threadIdx.x] = 1;
  if (n > 64)
    a[0] = 2;
  if (threadIdx.x >= n)
    return;
  __syncthreads();
}
int main(int argc, char **argv) {
  int n = argc * 8;
  assert(n <= 64);
  float *d_a;
  cudaMalloc((void **)&d_a, 1024 * sizeof(float));
  fill<<<1, 64>>>(d_a, n);
  return 0;
}
CU
sed 's/assert(n <= 64)/assert(n <= 72)/' guarded.cu >open.cu

run "$HGRD_CHECK" -v guarded.cu
status_is 0
has out 'guarded.cu:5:.*no thread of kernel .fill. makes this access under fill<<<1, 64>>>'
has_not out 'guarded.cu:3:.*no thread'
has out 'guarded.cu:8:.*note: barrier is reached by .* leaves the kernel by the branch at line 6: right on sm_70 and later'
run "$HGRD_CHECK" guarded.cu
has_not out 'no thread'
has_not out 'kernel .fill. is race-free'
run "$HGRD_CHECK" --format=json guarded.cu
has out '"deadAccesses": *\[$'

run "$HGRD_CHECK" -v open.cu
status_is 1
has out 'open.cu:5:.*warning: write to .a.'
has_not out 'no thread of kernel'
