// Divergent barrier. NVIDIA/cuCollections #522, commit 11c9b216: the threads of a block look up their keys, put what they find into
// shared memory and wait for each other before it is written out; the wait stood inside the test that there is a key.
// The whole block goes round together, but in the last round the threads beyond the last key go on to the next round, or leave, while
// the others wait. Fixed: the block waits outside of the test.
//@ verdict find: undecided
//@ verdict find_fixed: race-free
#include <cooperative_groups.h>
#include <cstdlib>
namespace cg = cooperative_groups;

__device__ int look_up(const int2 *slots, int capacity, int key) {
  int slot = (unsigned)key % capacity;
  for (int probes = 0; probes < capacity && slots[slot].x != key && slots[slot].x != -1; probes++)
    slot = (slot + 1) % capacity;
  return slots[slot].x == key ? slots[slot].y : -1;
}

__global__ void find(const int *keys, int n, const int2 *slots, int capacity, int *out) {
  __shared__ int buffer[128];
  auto block = cg::this_thread_block();
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  while (i - t < n) {
    if (i < n) {
      buffer[t] = look_up(slots, capacity, keys[i]);
      block.sync(); // expect-divergence
      out[i] = buffer[t];
    }
    i += gridDim.x * 128;
  }
  block.sync();
  if (t == 0)
    out[n + blockIdx.x] = buffer[0];
}

__global__ void find_fixed(const int *keys, int n, const int2 *slots, int capacity, int *out) { // expect-clean
  __shared__ int buffer[128];
  auto block = cg::this_thread_block();
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  while (i - t < n) {
    if (i < n)
      buffer[t] = look_up(slots, capacity, keys[i]);
    block.sync();
    if (i < n)
      out[i] = buffer[t];
    i += gridDim.x * 128;
  }
  block.sync();
  if (t == 0)
    out[n + blockIdx.x] = buffer[0];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), capacity = 2 * n + 1, blocks = 40, *keys, *out;
  if (n < 1)
    return 1;
  int2 *slots;
  cudaMalloc(&keys, n * sizeof(int));
  cudaMalloc(&slots, capacity * sizeof(int2));
  cudaMalloc(&out, (n + blocks) * sizeof(int));
  find<<<blocks, 128>>>(keys, n, slots, capacity, out);
  find_fixed<<<blocks, 128>>>(keys, n, slots, capacity, out);
}
