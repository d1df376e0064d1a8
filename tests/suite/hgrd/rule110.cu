// A cellular automaton over several steps in one launch, with two copies of the cells. After each step a block counts up its word in `done`
// (barrier, fence, strong write by thread 0) and waits until both neighbours have done that step (strong reads by
// thread 0, fence, barrier). Step s reads copy s & 1, of a neighbour's cells only its edge, and writes its own cells of the other copy.
// When a block begins step s, its neighbours have done step s - 1: their cells of copy s & 1 are written, and they do not read
// the other copy any more, which this block writes now. No other block touches its cells.
// Broken: a block does not wait for the block on its right. Then it reads that block's edge without order [right], and writes
// cells that this block, which does wait for it, may still be reading as its left edge one step behind [left].
//@ pairs: exact
//@ verdict rule110: race-free
//@ verdict rule110_broken: racy
#include <cstdlib>

__global__ void rule110(int *cells, int *done, int steps) { // expect-clean
  int n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x, b = blockIdx.x;
  for (int s = 0; s < steps; s++) {
    int *from = cells + (s & 1) * n, *to = cells + ((s + 1) & 1) * n;
    int left = i > 0 ? from[i - 1] : 0;
    int right = i + 1 < n ? from[i + 1] : 0;
    int here = from[i];
    to[i] = (110 >> (4 * left + 2 * here + right)) & 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicExch(&done[b], s + 1);
      while (b > 0 && atomicAdd(&done[b - 1], 0) < s + 1) {
      }
      while (b + 1 < gridDim.x && atomicAdd(&done[b + 1], 0) < s + 1) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}

__global__ void rule110_broken(int *cells, int *done, int steps) {
  int n = gridDim.x * 128, i = blockIdx.x * 128 + threadIdx.x, b = blockIdx.x;
  for (int s = 0; s < steps; s++) {
    int *from = cells + (s & 1) * n, *to = cells + ((s + 1) & 1) * n;
    int left = i > 0 ? from[i - 1] : 0;      // expect-race[left](inter-block)
    int right = i + 1 < n ? from[i + 1] : 0; // expect-race[right](inter-block)
    int here = from[i];
    to[i] = (110 >> (4 * left + 2 * here + right)) & 1; // expect-race[left](inter-block) expect-race[right](inter-block)
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicExch(&done[b], s + 1);
      while (b > 0 && atomicAdd(&done[b - 1], 0) < s + 1) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]), steps = atoi(argv[2]);
  int *cells, *done;
  cudaMalloc((void **)&cells, 2 * 128 * blocks * sizeof(int));
  cudaMalloc((void **)&done, blocks * sizeof(int));
  cudaMemset(done, 0, blocks * sizeof(int));
  rule110<<<blocks, 128>>>(cells, done, steps);
  cudaMemset(done, 0, blocks * sizeof(int));
  rule110_broken<<<blocks, 128>>>(cells, done, steps);
  return 0;
}
