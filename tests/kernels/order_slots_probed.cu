// A slot of a hash table is claimed with its key and filled once; who finds the key there waits for the flag of the slot, and goes on from a slot of another key to the next one
// (ok); the flag is told before the slot is filled (bad).
//@ verdict probed_ok: race-free
//@ verdict probed_bad: racy
//@ known-undecided probed_ok: the word that is claimed is another one in each round, and what is read lies behind the loop
#include <cstdlib>
#include <cuda_runtime.h>

__device__ void tell(int *flag) {
  __threadfence();
  atomicExch(flag, 1);
}
__device__ void hear(int *flag) {
  while (atomicAdd(flag, 0) != 1) {
  }
  __threadfence();
}

template <bool EARLY> __device__ void probe(int *state, int *flag, const int *all, int *made, int *out) {
  int i = all[threadIdx.x], key = all[threadIdx.x] + 1;
  while (true) {
    int found = atomicCAS(state + i, 0, key);
    if (found == 0) {
      if (EARLY) tell(flag + i);
      made[i] = 7; // expect-race
      if (!EARLY) tell(flag + i);
      break;
    }
    if (found == key) {
      hear(flag + i);
      break;
    }
    i = (i + 1) % 512;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = made[i]; // expect-race
}
__global__ void probed_ok(int *state, int *flag, const int *all, int *made, int *out) { probe<false>(state, flag, all, made, out); } // expect-clean
__global__ void probed_bad(int *state, int *flag, const int *all, int *made, int *out) { probe<true>(state, flag, all, made, out); }

static int *zeros() {
  int *words;
  cudaMalloc(&words, 4096);
  cudaMemset(words, 0, 4096);
  return words;
}

int main() {
  int *all = zeros(), keys[64];
  for (int i = 0; i < 64; i++)
    keys[i] = rand() % 16;
  cudaMemcpy(all, keys, sizeof keys, cudaMemcpyHostToDevice);
  probed_ok<<<4, 64>>>(zeros(), zeros(), all, zeros(), zeros());
  probed_bad<<<4, 64>>>(zeros(), zeros(), all, zeros(), zeros());
  return cudaDeviceSynchronize();
}
