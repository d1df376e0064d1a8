// Atomic. ORNL/HeCBench #295 (cc): connected components hooks roots under each other with atomicCAS, and shortens the way to a root with
// plain loads and stores of the same words; a store could undo what another thread had hooked.
// In the search for a root the plain store meets loads, stores and hooks of other threads [first-store][next-store][store][store-hook],
// and the loads meet the hooks [first-hook][next-hook]. Fixed: loads and stores are atomic, of device scope, as well.
//@ pairs: exact
//@ verdict compute: racy
//@ verdict compute_fixed: race-free
//@ verdict begin: race-free
//@ known-undecided: between blocks, the compare-and-swap is taken for something that may order
#include <cuda/atomic>
#include <cstdlib>

__device__ int root(int *parent, int v) {
  int at = parent[v], last = v, next; // expect-race[first-store](every) expect-race[first-hook](every)
  while (at > (next = parent[at])) {  // expect-race[next-store](every) expect-race[next-hook](every)
    parent[last] = next;              // expect-race[first-store](every) expect-race[next-store](every) expect-race[store](every) expect-race[store-hook](every)
    last = at;
    at = next;
  }
  return at;
}

__device__ int root_fixed(int *parent, int v) {
  typedef cuda::atomic_ref<int, cuda::thread_scope_device> Word;
  int at = Word(parent[v]).load(cuda::memory_order_relaxed), last = v, next;
  while (at > (next = Word(parent[at]).load(cuda::memory_order_relaxed))) {
    Word(parent[last]).store(next, cuda::memory_order_relaxed);
    last = at;
    at = next;
  }
  return at;
}

__global__ void compute(const int2 *edges, int count, int *parent) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int a = root(parent, edges[i].x), b = root(parent, edges[i].y);
    while (a != b) {
      int high = max(a, b), low = min(a, b), was = atomicCAS(&parent[high], high, low); // expect-race[first-hook](every) expect-race[next-hook](every) expect-race[store-hook](every)
      if (was == high)
        break;
      a = was;
      b = low;
    }
  }
}

__global__ void compute_fixed(const int2 *edges, int count, int *parent) { // expect-clean
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int a = root_fixed(parent, edges[i].x), b = root_fixed(parent, edges[i].y);
    while (a != b) {
      int high = max(a, b), low = min(a, b), was = atomicCAS(&parent[high], high, low);
      if (was == high)
        break;
      a = was;
      b = low;
    }
  }
}

__global__ void begin(int *parent, int nodes) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes)
    parent[v] = v;
}

int main(int argc, char **argv) {
  int nodes = atoi(argv[1]), count = atoi(argv[2]), *parent;
  int2 *edges;
  cudaMalloc(&parent, nodes * sizeof(int));
  cudaMalloc(&edges, count * sizeof(int2));
  begin<<<nodes / 256 + 1, 256>>>(parent, nodes);
  compute<<<120, 256>>>(edges, count, parent);
  begin<<<nodes / 256 + 1, 256>>>(parent, nodes);
  compute_fixed<<<120, 256>>>(edges, count, parent);
}
