// LDetector's bfs: each vertex of the frontier gives its neighbours a cost, one more than its own, and marks them. Two vertices may have a
// neighbour in common: both write its cost [ww], and a cost is read that another thread writes [rw]; neighbours are any vertices, so the
// two may be any two. The marks are the same value, which is a note (same). Twin: the level is a parameter, so that all
// write the same cost.
//@ pairs: exact
//@ verdict bfs: racy
//@ verdict bfs_fixed: race-free
__global__ void bfs(const int *row, const int *column, const bool *mask, const bool *visited, bool *marked, int *cost, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && mask[v]) {
    int mine = cost[v]; // expect-race[rw](every)
    for (int j = row[v]; j < row[v + 1]; j++) {
      int u = column[j];
      if (!visited[u]) {
        cost[u] = mine + 1; // expect-race[rw](every) expect-race[ww](every)
        marked[u] = true;   // expect-same-value[same]
      }
    }
  }
}

__global__ void bfs_fixed(const int *row, const int *column, const bool *mask, const bool *visited, bool *marked, int *cost, int n, int level) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && mask[v])
    for (int j = row[v]; j < row[v + 1]; j++) {
      int u = column[j];
      if (!visited[u]) {
        cost[u] = level + 1; // expect-same-value[level]
        marked[u] = true;    // expect-same-value[mark]
      }
    }
}

int main(int argc, char **) {
  int n = argc * 100, *row, *column, *cost;
  bool *mask, *visited, *marked;
  cudaMalloc((void **)&row, (n + 1) * sizeof(int));
  cudaMalloc((void **)&column, 10 * n * sizeof(int));
  cudaMalloc((void **)&cost, n * sizeof(int));
  cudaMalloc((void **)&mask, n);
  cudaMalloc((void **)&visited, n);
  cudaMalloc((void **)&marked, n);
  bfs<<<(n + 255) / 256, 256>>>(row, column, mask, visited, marked, cost, n);
  bfs_fixed<<<(n + 255) / 256, 256>>>(row, column, mask, visited, marked, cost, n, argc);
  return 0;
}
