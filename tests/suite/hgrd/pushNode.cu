// Each vertex adds its weight to all its neighbours with a plain read [rw] and a plain write [rw], [ww]. Two vertices may
// have a neighbour in common, and neighbours are any numbers, so the two threads may be any two. Mended: atomicAdd.
//@ pairs: exact
//@ verdict pushNode: racy
//@ verdict pushNode_fixed: race-free
#include <cstdlib>

__global__ void pushNode(const int *row, const int *column, const int *weight, int *sum, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e];
    int old = sum[u];         // expect-race[rw](every)
    sum[u] = old + weight[v]; // expect-race[rw](every) expect-race[ww](every)
  }
}

__global__ void pushNode_fixed(const int *row, const int *column, const int *weight, int *sum, int n) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e];
    atomicAdd(&sum[u], weight[v]);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, edges = argc > 2 ? atoi(argv[2]) : 4000;
  int *row, *column, *weight, *sum;
  cudaMalloc((void **)&row, (n + 1) * sizeof(int));
  cudaMalloc((void **)&column, edges * sizeof(int));
  cudaMalloc((void **)&weight, n * sizeof(int));
  cudaMalloc((void **)&sum, n * sizeof(int));
  pushNode<<<(n + 255) / 256, 256>>>(row, column, weight, sum, n);
  pushNode_fixed<<<(n + 255) / 256, 256>>>(row, column, weight, sum, n);
  return 0;
}
