# hgrd-run: kernels that cannot go on, that go where no memory is, that stop themselves, or that wait for what comes: each is told, or ends.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >program.cu <<'CU'
#include <cassert>
#include <cstdlib>
__global__ void apart(int *a) {
  if (threadIdx.x < 16)
    __syncwarp(); // at: warp
  else
    __syncthreads(); // at: block
  a[threadIdx.x] = 1;
}
__global__ void for_ever(int *flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}
// The first block waits for the last one; a lock is taken by each thread of a warp.
__global__ void in_turn(int *flag, int *lock, int *sum) {
  if (blockIdx.x == 0)
    while (atomicAdd(flag, 0) < 3) {
    }
  else if (threadIdx.x == 0)
    atomicAdd(flag, 1);
  for (bool is_done = false; !is_done;)
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum += 1;
      __threadfence();
      atomicExch(lock, 0);
      is_done = true;
    }
}
__global__ void outside(int *a, int n) {
  a[threadIdx.x + n] = 1; // at: outside
}
__global__ void shared_outside(int n) {
  extern __shared__ int s[];
  s[threadIdx.x + n] = 1; // at: shared
}
__global__ void stops(int n) {
  assert(threadIdx.x < n); // at: assert
}
template <bool Divergent> __global__ void at_barriers(int n) {
  for (int i = 0; i < n; i++)
    __syncthreads();
  if (Divergent && threadIdx.x < 32)
    __syncthreads(); // at: one
  else
    __syncthreads(); // at: other
}
__global__ void divides(int *a, int n) { a[0] = 7 / n; } // at: divides
int main(int argc, char **argv) {
  int *d, sum = 0;
  cudaMalloc(&d, 400);
  cudaMemset(d, 0, 400);
  switch (atoi(argv[1])) {
  case 1: apart<<<1, 32>>>(d); break;
  case 2: for_ever<<<1, 32>>>(d); break;
  case 3: in_turn<<<4, 32>>>(d, d + 1, d + 2); break;
  case 4: outside<<<1, 64>>>(d, 36); break;
  case 5: outside<<<1, 64>>>(d, 37); break;
  case 6: shared_outside<<<1, 64, 400>>>(36); break;
  case 7: shared_outside<<<1, 64, 400>>>(37); break;
  case 8: stops<<<1, 64>>>(64); break;
  case 9: stops<<<1, 64>>>(63); break;
  case 10: divides<<<1, 1>>>(d, 0); break;
  case 11: abort();
  case 12: at_barriers<true><<<1, 64>>>(3); break;
  case 13: at_barriers<false><<<1, 64>>>(3); break;
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 7;
  cudaMemcpy(&sum, d + 2, 4, cudaMemcpyDeviceToHost);
  return sum == 128 ? 5 : 0;
}
CU
run "$HGRD_BUILD/hgrd-run" --build -o program program.cu
status_is 0 && is_empty err
at() { grep -n "at: $1\$" program.cu | cut -d: -f1; }

run ./program 1
status_is 1
has err "^program.cu:[0-9]+:[0-9]+: warning: deadlock: no thread of 'apart' can go on \[-Wdeadlock\]"
has err "^program.cu:$(at warp):[0-9]+: note: 16 threads wait here at __syncwarp, as thread \(0,0,0\) of block \(0,0,0\)"
has err "^program.cu:$(at block):[0-9]+: note: 16 threads wait here at __syncthreads, as thread \(16,0,0\)"
HGRD_RUN=timeout=1 run ./program 2
status_is 124
has err "after 1 seconds 'for_ever' \(launch 1\) still runs"
for schedule in in-order reversed 5; do
  HGRD_RUN=schedule=$schedule,timeout=60 run ./program 3
  status_is 5
done
run ./program 4
status_is 0 && has_not err 'out of bounds'
run ./program 5
status_is 1
has err "^program.cu:$(at outside):[0-9]+: error: thread \(63,0,0\) of block \(0,0,0\) of 'outside' writes 4 bytes out of bounds: .*400 bytes from cudaMalloc.*\[-Wout-of-bounds\]"
run ./program 6
status_is 0 && has_not err 'out of bounds'
run ./program 7
status_is 1
has err "^program.cu:$(at shared):[0-9]+: error: .* at byte 400 of the 400 bytes of shared memory"
run ./program 8
status_is 0
run ./program 9
status_is 7
has err "^program.cu:$(at assert): .* thread: \[63,0,0\] Assertion .* failed"
run ./program 10
status_is 1
has err "error: thread \(0,0,0\) of block \(0,0,0\) of 'divides' divides an integer by zero"
run ./program 12
status_is 1
has err "^program.cu:($(at one)|$(at other)):[0-9]+: warning: observed divergence: .*'at_barriers<true>' come to __syncthreads here and at program.cu:($(at one)|$(at other)) .*\[-Wbarrier-divergence\]"
run ./program 13
status_is 0 && has_not err 'divergence'
run "$HGRD_BUILD/hgrd-run" program.cu --- 11
status_is 134
has err 'the program was ended by signal 6'
