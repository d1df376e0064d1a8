// Path compression of a forest in which each vertex points at a parent with a smaller number: on its way to the root a
// thread makes vertices skip their parents. Ways of two threads join, and `parent` is read and written with plain accesses:
// what one thread reads another writes [rw], and two threads write the same vertex [ww]. Vertices are any numbers, so the
// two threads may be any two. Mended (fixed): the reads and the writes are atomic.
//@ pairs: exact
//@ verdict pathCompression: racy
//@ verdict pathCompression_fixed: race-free
#include <cstdlib>

__global__ void pathCompression(int *parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int before = v, here = v;
  while (true) {
    int next = parent[here]; // expect-race[rw](every)
    if (next >= here)
      break;
    parent[before] = next; // expect-race[rw](every) expect-race[ww](every)
    before = here;
    here = next;
  }
}

__global__ void pathCompression_fixed(int *parent, int n) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int before = v, here = v;
  while (true) {
    int next = atomicAdd(&parent[here], 0);
    if (next >= here)
      break;
    atomicMin(&parent[before], next);
    before = here;
    here = next;
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int *parent;
  cudaMalloc((void **)&parent, n * sizeof(int));
  pathCompression<<<(n + 255) / 256, 256>>>(parent, n);
  pathCompression_fixed<<<(n + 255) / 256, 256>>>(parent, n);
  return 0;
}
