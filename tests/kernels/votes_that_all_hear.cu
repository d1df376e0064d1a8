// What __any_sync and __all_sync with the full mask answer is one for all lanes of a warp that make the vote, and in a block of
// one warp one for the block: a loop that goes by it is left by all together.
//   block: a block barrier in such a loop is reached by all; by the lane's own test (block_bad) it is not: those who have left
//     the loop read `hist` while others still add.
//   warp: the same with a barrier of the warp; whoever leaves by its own test reads too early (warp_bad).
//   all: the loop of whole rounds by __all_sync; the rest is added before a barrier, or behind it (all_bad).
//   own: who said yes knows that somebody did: its part is not skipped; asking for another number (own_bad) says nothing.
//@ verdict block_ok: race-free
//@ verdict block_bad: racy
//@ verdict warp_ok: race-free
//@ verdict warp_bad: racy
//@ verdict all_ok: race-free
//@ verdict all_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ pairs: exact
#include <cuda_runtime.h>

template <bool OWN> __device__ void block(int *out, int n) {
  __shared__ int hist[32];
  hist[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; OWN ? i < n : __any_sync(0xffffffff, i < n); i += blockDim.x) {
    if (i < n) atomicAdd(&hist[i % 32], 1); // expect-race[block]
    __syncthreads();                        // expect-divergence[left]
  }
  out[threadIdx.x] = hist[31 - threadIdx.x]; // expect-race[block]
}
__global__ void block_ok(int *out, int n) { block<false>(out, n); } // expect-clean
__global__ void block_bad(int *out, int n) { block<true>(out, n); }

template <bool OWN> __device__ void warp(int *out, int n) {
  __shared__ int hist[32];
  hist[threadIdx.x] = 0;
  __syncwarp();
  for (int i = threadIdx.x; OWN ? i < n : __any_sync(0xffffffff, i < n); i += 32) {
    if (i < n) atomicAdd(&hist[i % 32], 1); // expect-race[warp]
    __syncwarp();                           // expect-divergence[gone] {{cause=named-lane-missing}}
  }
  out[threadIdx.x] = hist[31 - threadIdx.x]; // expect-race[warp]
}
__global__ void warp_ok(int *out, int n) { warp<false>(out, n); } // expect-clean
__global__ void warp_bad(int *out, int n) { warp<true>(out, n); }

template <bool LATE> __device__ void all(int *out, int n) {
  __shared__ int hist[32];
  hist[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x;
  for (; __all_sync(0xffffffff, i < n); i += 32) {
    atomicAdd(&hist[i % 32], 1);
    __syncthreads();
  }
  if (!LATE && i < n) atomicAdd(&hist[i % 32], 1);
  __syncthreads();
  if (LATE && i < n) atomicAdd(&hist[i % 32], 1); // expect-race[all]
  out[threadIdx.x] = hist[31 - threadIdx.x];      // expect-race[all]
}
__global__ void all_ok(int *out, int n) { all<false>(out, n); } // expect-clean
__global__ void all_bad(int *out, int n) { all<true>(out, n); }

// If nobody has anything, lane 0 puts down a mark in place of all.
template <int OTHER> __device__ void own(int *out, int n) {
  int first = blockIdx.x * 32, mine = first + threadIdx.x;
  if (!__any_sync(0xffffffff, mine + OTHER < n) && threadIdx.x == 0)
    for (int k = 0; k < 32; k++)
      out[first + k] = -1; // expect-race[own]
  if (mine < n) out[mine] = mine; // expect-race[own]
}
__global__ void own_ok(int *out, int n) { own<0>(out, n); } // expect-clean
__global__ void own_bad(int *out, int n) { own<32>(out, n); }

int main(int argc, char **argv) {
  int n = argc * 1000 + 7, *out;
  cudaMalloc(&out, 4 * (n + 32));
  block_ok<<<1, 32>>>(out, n);
  block_bad<<<1, 32>>>(out, n);
  warp_ok<<<1, 32>>>(out, n);
  warp_bad<<<1, 32>>>(out, n);
  all_ok<<<1, 32>>>(out, n);
  all_bad<<<1, 32>>>(out, n);
  own_ok<<<n / 32 + 1, 32>>>(out, n);
  own_bad<<<n / 32 + 1, 32>>>(out, n);
}
