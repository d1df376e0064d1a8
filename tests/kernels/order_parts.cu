// Waits of which a thread passes one or another, and words that are set up by plain stores. edge: each thread waits for
// its left neighbour, at the edge of the block with device scope, elsewhere with block scope (ok); the first thread as well with
// block scope (bad). number: the awaited number comes from the host and is not 0 (ok: the proof leans on the assert), may be 0, so that nobody waits (not
// race-free). setup: a lock of the block in global memory is set free before a barrier (ok), one that two blocks share (bad).
//@ verdict edge_ok: race-free
//@ verdict edge_bad: racy
//@ verdict number_ok: race-free
//@ verdict number_bad: racy
//@ leans number_ok: A3 !A11
//@ leans number_bad: !A3
//@ verdict setup_ok: race-free
//@ verdict setup_bad: racy
#include <cassert>
#include <cstdlib>

__global__ void edge_ok(int *done, int *data, int *out) { // expect-clean
  int t = threadIdx.x, at = blockIdx.x * 64 + t;
  data[at] = t;
  __threadfence();
  atomicExch(&done[at], 1);
  if (at == 0)
    return;
  if (t == 0) {
    while (atomicAdd(&done[at - 1], 0) == 0) {
    }
    __threadfence();
  } else {
    while (atomicAdd_block(&done[at - 1], 0) == 0) {
    }
    __threadfence_block();
  }
  out[at] = data[at - 1];
}

__global__ void edge_bad(int *done, int *data, int *out) {
  int t = threadIdx.x, at = blockIdx.x * 64 + t;
  data[at] = t; // expect-race {{-Winter-block-race}}
  __threadfence();
  atomicExch(&done[at], 1); // expect-race
  if (at == 0)
    return;
  while (atomicAdd_block(&done[at - 1], 0) == 0) { // expect-race
  }
  __threadfence_block();
  out[at] = data[at - 1]; // expect-race
}

__global__ void number_ok(int *flag, int *data, int *out, int number) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(flag, number);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) != number) {
    }
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void number_bad(int *flag, int *data, int *out, int number) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 1; // expect-race {{-Winter-block-race}}
    __threadfence();
    atomicExch(flag, number);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) != number) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void setup_ok(int *locks, int *sums) { // expect-clean
  int t = threadIdx.x;
  int *lock = &locks[blockIdx.x * 2 + t % 2];
  if (t < 2)
    *lock = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS_block(lock, 0, 1) == 0) {
      __threadfence_block();
      sums[blockIdx.x * 2 + t % 2] += t;
      __threadfence_block();
      atomicExch_block(lock, 0);
      done = true;
    }
  }
}

__global__ void setup_bad(int *locks, int *sums) {
  int t = threadIdx.x;
  int *lock = &locks[blockIdx.x / 2 * 2 + t % 2];
  if (t < 2)
    *lock = 0; // expect-race expect-note {{same-value}}
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) { // expect-race
      __threadfence();
      sums[blockIdx.x / 2 * 2 + t % 2] += t; // expect-race {{-Winter-block-race}} expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
      __threadfence();
      atomicExch(lock, 0); // expect-race {{atomic-vs-plain}}
      done = true;
    }
  }
}

int main(int argc, char **argv) {
  int number = atoi(argv[1]), *words, *a, *b;
  cudaMalloc((void **)&words, 512 * sizeof(int));
  cudaMalloc((void **)&a, 512 * sizeof(int));
  cudaMalloc((void **)&b, 512 * sizeof(int));
  cudaMemset(words, 0, 512 * sizeof(int));
  edge_ok<<<8, 64>>>(words, a, b);
  cudaMemset(words, 0, 512 * sizeof(int));
  edge_bad<<<8, 64>>>(words, a, b);
  cudaMemset(words, 0, 512 * sizeof(int));
  number_bad<<<2, 64>>>(words, a, b, number);
  assert(number > 0);
  cudaMemset(words, 0, 512 * sizeof(int));
  number_ok<<<2, 64>>>(words, a, b, number);
  cudaMemset(words, 0, 512 * sizeof(int));
  setup_ok<<<8, 64>>>(words, a);
  cudaMemset(words, 0, 512 * sizeof(int));
  setup_bad<<<8, 64>>>(words, a);
  return 0;
}
