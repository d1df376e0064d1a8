# hgrd-run: races of a running program, each beside the same kernel without it. One program; which kernel runs is its argument.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >program.cu <<'CU'
#include <cstdio>
#include <cstdlib>
template <bool Waits> __global__ void shared(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 3 * t;                                               // at: write
  if (Waits) __syncthreads();
  out[t] = s[(t + 32) % 64];                                  // at: read
}
template <bool Own> __global__ void blocks(int *out) {
  if (threadIdx.x == 0) out[Own ? blockIdx.x : 0] = blockIdx.x; // at: block
}
template <bool Atomic> __global__ void count(int *out) {
  if (Atomic)
    atomicAdd(out, 1);
  else
    out[0] += 1;                                              // at: count
}
template <bool Waits> __global__ void lanes(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;                               // at: lane
  if (Waits) __syncwarp();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
template <bool Fence> __global__ void message(int *flag, int *data, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;                                               // at: data
    if (Fence) __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    if (Fence) __threadfence();
    *out = *data;
  }
}
int main(int argc, char **argv) {
  int *d, h[64] = {0};
  cudaMalloc(&d, 512);
  cudaMemset(d, 0, 512);
  switch (atoi(argv[1])) {
  case 10: shared<false><<<1, 64>>>(d); break;
  case 11: shared<true><<<1, 64>>>(d); break;
  case 20: blocks<false><<<4, 32>>>(d); break;
  case 21: blocks<true><<<4, 32>>>(d); break;
  case 30: count<false><<<2, 64>>>(d); break;
  case 31: count<true><<<2, 64>>>(d); break;
  case 40: lanes<false><<<1, 32>>>(d); break;
  case 41: lanes<true><<<1, 32>>>(d); break;
  case 50: message<false><<<2, 32>>>(d + 64, d + 65, d); break;
  case 51: message<true><<<2, 32>>>(d + 64, d + 65, d); break;
  }
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[63]);
  return 3;
}
CU
run "$hgrd_run" --build -o program program.cu
status_is 0 && is_empty out && is_empty err
at() { grep -n "at: $1\$" program.cu | cut -d: -f1; }
launched() { grep -n "case $1:" program.cu | cut -d: -f1; }

# races NUMBER PLACE RULE: the kernel races there, and the next one does not, and computes what it should.
races() {
  run ./program "$1"
  status_is 1
  has err "^program.cu:$(at "$2"):[0-9]+: warning: observed race: write by thread .* of block .* races with .*\[-W$3\]$"
  has err "^program.cu:$(launched "$1"):.*launched here"
  run ./program $(($1 + 1))
  status_is 3
  has_not err 'warning'
  has err 'no proof'
}
races 10 write intra-block-race
races 20 block inter-block-race
races 30 count intra-warp-race
has out '^128 '
races 40 lane intra-warp-race
races 50 data inter-block-race
has out '^42 '
run ./program 11
has out '^96 93$'

# Every schedule computes the same without a race, and is the same when it is run again.
for schedule in reversed 1 2; do
  for kernel in 11 31 41 51; do
    HGRD_RUN=schedule=$schedule run ./program $kernel
    status_is 3
    has_not err 'warning'
  done
  HGRD_RUN=schedule=$schedule run ./program 30
  mv err first
  HGRD_RUN=schedule=$schedule run ./program 30
  same err first
done
HGRD_RUN=detector=none run ./program 10
status_is 3 && is_empty err

# Built and run in one step, more than once: a pair is told once, and only the first run is heard.
run "$hgrd_run" --schedules=3 program.cu --- 10
status_is 1
[[ $(grep -c 'warning: observed race' err) -eq 1 ]] || complain 'the race is not told once'
[[ $(wc -l <out) -eq 1 ]] || complain 'the program is not heard once'

# Groups of 64 threads: tiles of 64 wait for each other, those of 32 do not.
run "$HGRD_BUILD/hgrd-run" --all "$HGRD_ROOT/examples/tile_too_small_fixed.cu"
status_is 0 && has_not err 'observed race'
run "$HGRD_BUILD/hgrd-run" --all "$HGRD_ROOT/examples/tile_too_small.cu"
status_is 1
has err 'tile_too_small.cu:[0-9]+:[0-9]+: warning: observed race'
