// Each vertex takes the largest label among its neighbours if that is larger than its own, in place. A neighbour's label is
// read while the neighbour's thread may write it [rw]; and whoever changes writes its number into one word [ww]. Neighbours are
// any numbers, so the two threads may be any two. Mended: labels go to a second array, the word is written with atomicMax.
//@ pairs: exact
//@ verdict condNeighbor: racy
//@ verdict condNeighbor_fixed: race-free
#include <cstdlib>

__global__ void condNeighbor(const int *row, const int *column, int *label, int *changed, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int mine = label[v], best = mine;
  for (int e = row[v]; e < row[v + 1]; e++) {
    int theirs = label[column[e]]; // expect-race[rw](every)
    best = theirs > best ? theirs : best;
  }
  if (best > mine) {
    label[v] = best; // expect-race[rw](every)
    changed[0] = v;  // expect-race[ww](every)
  }
}

__global__ void condNeighbor_fixed(const int *row, const int *column, const int *label, int *next, int *changed, int n) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int mine = label[v], best = mine;
  for (int e = row[v]; e < row[v + 1]; e++) {
    int theirs = label[column[e]];
    best = theirs > best ? theirs : best;
  }
  next[v] = best;
  if (best > mine)
    atomicMax(&changed[0], v);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, edges = argc > 2 ? atoi(argv[2]) : 4000;
  int *row, *column, *label, *next, *changed;
  cudaMalloc((void **)&row, (n + 1) * sizeof(int));
  cudaMalloc((void **)&column, edges * sizeof(int));
  cudaMalloc((void **)&label, n * sizeof(int));
  cudaMalloc((void **)&next, n * sizeof(int));
  cudaMalloc((void **)&changed, sizeof(int));
  condNeighbor<<<(n + 255) / 256, 256>>>(row, column, label, changed, n);
  condNeighbor_fixed<<<(n + 255) / 256, 256>>>(row, column, label, next, changed, n);
  return 0;
}
