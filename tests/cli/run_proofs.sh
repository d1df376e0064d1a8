# hgrd-run: what hgrd-check proves is not watched, and nothing else. Each kernel that may be left out stands beside one that may not.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >program.cu <<'CU'
#include <cassert>
#include <cstdio>
#include <cstdlib>
template <bool Own> __global__ void blocks(int *out, int *in) {
  int i = blockIdx.x * 32 + threadIdx.x;
  in[i] = i;
  out[Own ? i : threadIdx.x] = i; // at: write
}
// One function of two kernels, of which one races in it.
__device__ __noinline__ void put(int *out, int i, int v) { out[i] = v; } // at: put
__global__ void own(int *out) { put(out, threadIdx.x, 1); }
#if KERNEL == 3
__global__ void common(int *out) { put(out, 0, threadIdx.x); }
#endif
// Proved if the counter starts at zero (A11).
__device__ unsigned arrived;
__global__ void last(int *out, int *in) {
  __shared__ bool is_last;
  in[blockIdx.x * 64 + threadIdx.x] = 7; // at: part
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  __syncthreads();
  __threadfence();
  if (is_last) out[threadIdx.x] = in[threadIdx.x] + in[64 + threadIdx.x]; // at: sum
}
__global__ void outside(int *out, int n) { out[threadIdx.x + n] = 1; } // at: outside
int main(int argc, char **argv) {
  int *d, *e;
  cudaMalloc(&d, 400);
  cudaMalloc(&e, 1024);
  cudaMemset(e, 0, 1024);
  switch (KERNEL) {
  case 0: blocks<true><<<2, 32>>>(d, e); break;
  case 1: blocks<false><<<2, 32>>>(d, e); break;
  case 2: own<<<1, 64>>>(d); break;
#if KERNEL == 3
  case 3: own<<<1, 64>>>(d); common<<<1, 64>>>(d); break;
#endif
  case 4: outside<<<1, 64>>>(d, argc - 1); break;
  case 5: outside<<<1, 64>>>(d, argc + 39); break;
  case 6: last<<<2, 64>>>(d, e); break;
  case 7: blocks<true><<<2, 32>>>(d, e); blocks<false><<<2, 32>>>(d, e); break;
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 7;
}
CU
at() { grep -n "at: $1\$" program.cu | cut -d: -f1; }
try() { # try KERNEL OPTION...
  local kernel=$1
  shift
  run "$hgrd_run" "$@" program.cu -- "-DKERNEL=$kernel"
}

try 0
status_is 0
has err ': 1 launch, 0 accesses watched, 128 \(100.0 %\) not, as they are proved: 0 races'
try 0 --all
status_is 0
has err ': 1 launch, 128 accesses watched: 0 races'
has_not err 'proved'

# The twin: the access that races is watched, the other one is not.
try 1
status_is 1
has err "^program.cu:$(at write):[0-9]+: warning: observed race"
has err '64 accesses watched, 64 \(50.0 %\) not, as they are proved: 1 race'
mv err with_proofs
try 1 --all
status_is 1
has err '128 accesses watched: 1 race'
diff <(grep -v ' watched' with_proofs) <(grep -v ' watched' err) >/dev/null || complain 'proofs change what is told'
try 7
status_is 1
has err '128 accesses watched, 128 \(50.0 %\) not' # a place is open for all instances of its template

try 2
status_is 0 && has err '0 accesses watched, 64 \(100.0 %\) not'
try 3
status_is 1
has err "^program.cu:$(at put):[0-9]+: warning: observed race"
has err '128 accesses watched: 1 race'

# Bounds are checked all the same.
try 4
status_is 0 && has err '0 accesses watched, 64 \(100.0 %\) not'
try 5
status_is 1
has err "^program.cu:$(at outside):[0-9]+: error: .*out of bounds"

# What leans on an assumption about the input is watched.
run "$HGRD_CHECK" --config=off -v program.cu -- -DKERNEL=6
has out 'A11|A15|undecided'
try 6
has_not err 'as they are proved'

# A program without detector asks for no proofs; hgrd-check that is not there, or fails, leaves all watched.
try 0 --detector=none
status_is 0 && is_empty err
mkdir elsewhere
cp "$hgrd_run" elsewhere/
ln -s "$HGRD_BUILD/libhgrdrt.a" "$HGRD_BUILD/libhgrdrt.names" elsewhere/
run elsewhere/hgrd-run -v program.cu -- -DKERNEL=0
status_is 0
has err 'hgrd-check is not found beside hgrd-run: all is watched'
has err '128 accesses watched: 0 races'
printf '#!/bin/sh\necho no >&2\nexit 2\n' >elsewhere/hgrd-check
chmod +x elsewhere/hgrd-check
run elsewhere/hgrd-run -v program.cu -- -DKERNEL=0
status_is 0
has err 'hgrd-check gives no verdicts: all is watched'
has err '128 accesses watched: 0 races'
