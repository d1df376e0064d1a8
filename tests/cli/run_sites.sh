# hgrd-run: an access that touches again what it touched before needs no call of the machine; what has changed meanwhile is seen all the
# same, and each is counted as a step. Of each program one that is right, and its twin that differs by a number or a line.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >sites.cu <<'CU'
#include <cstdio>
#include <cstdlib>
__global__ void sum(int *out, const int *in, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += in[i]; // at: loop
  out[threadIdx.x] = s;
}
__device__ __noinline__ int read_at(const int *p, int i) {
  return p[i]; // at: read
}
// The place reads two objects in turn, and the second is given back.
__global__ void heap(int *out, int frees) {
  int *p = (int *)malloc(64);
  for (int i = 0; i < 16; i++)
    p[i] = i;
  int s = 0;
  for (int i = 0; i < 8; i++)
    s += read_at(out, 0) + read_at(p, i);
  if (frees) free(p);
  *out = s + read_at(p, 9);
}
// Proved until the copy is under way, which the same place meets.
__global__ void copied(int *out, const int *in, int waits) {
  __shared__ int s[64];
  for (int turn = 0; turn < 2; turn++) {
    s[threadIdx.x] = turn; // at: copy
    if (turn == 0) {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&s[threadIdx.x])),
                   "l"(in + threadIdx.x));
      if (waits) asm volatile("cp.async.wait_all;");
    }
  }
  out[threadIdx.x] = s[threadIdx.x];
}
// The first thread waits for the last one, at an access that is free of calls.
__global__ void spins(volatile int *flag, int wanted) {
  if (threadIdx.x == 0)
    while (*flag != wanted) { // at: spin
    }
  if (threadIdx.x == 63) *flag = 1;
}
int main(int argc, char **argv) {
  int *in, *out, choice = atoi(argv[1]), number = atoi(argv[2]), first = 0;
  cudaMalloc(&in, 400), cudaMalloc(&out, 400);
  cudaMemset(in, 0, 400), cudaMemset(out, 0, 400);
  switch (choice) {
  case 1: sum<<<1, 64>>>(out, in, number); break;
  case 2: heap<<<1, 1>>>(out, number); break;
  case 3: copied<<<1, 64>>>(out, in, number); break;
  case 4: spins<<<1, 64>>>(out, number); break;
  default: break;
  }
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(&first, out, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", first);
}
CU
at() { grep -n "// at: $1\$" sites.cu | cut -d: -f1; }
run "$hgrd_run" --build -o program sites.cu
status_is 0
for settings in detector=clocks detector=none; do
  export HGRD_RUN=$settings,timeout=60
  run ./program 1 100 # all 100 elements
  status_is 0 && has out '^cudaSuccess$' && has_not err 'out of bounds'
  run ./program 1 101 # and one more
  status_is 1
  has err "^sites.cu:$(at loop):[0-9]+: error: thread \(0,0,0\) .* reads 4 bytes out of bounds: 4 bytes right behind the end of 400 bytes"
  run ./program 2 0
  status_is 0 && has out '^37$' # 0 + ... + 7, and 9
  run ./program 2 1
  status_is 1
  has err "^sites.cu:$(at read):[0-9]+: error: .* out of bounds: .*freed"
  run ./program 4 1
  status_is 0 && has out '^cudaSuccess$'
done

# Each thread reads 100 elements and writes its own: 101 accesses of 64 threads.
export HGRD_RUN=timeout=60
run ./program 1 100
has err ' 0 accesses watched, 6464 '
run ./program 3 1
status_is 0 && has_not err 'observed race'
run ./program 3 0
status_is 1
has err "^sites.cu:$(at copy):[0-9]+: note: the other access: write" # to what the copy goes to

# One that waits for ever, at an access without calls, is ended.
HGRD_RUN=detector=none,timeout=1 run ./program 4 2
status_is 124
HGRD_RUN=detector=clocks,timeout=1 run ./program 4 2
status_is 124
has err '^hgrd-run: 1 launch, ' # the one that it was in
