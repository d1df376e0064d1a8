// A round of relaxations: a vertex offers its neighbours a way (vertex), or an edge its end (edge). Distances of the round before are read,
// those of this round are lowered by atomicMin (ok). By a plain test and store (plain): read and write [rw], two different distances
// for one vertex [ww]. With atomicMin, but on from the distances of this round (place): a plain read of what others lower
// [place]; for edges the same [edge]. Neighbours are any vertices, so the two threads may be any two.
//@ pairs: exact
//@ verdict vertex_ok: race-free
//@ verdict vertex_plain_bad: racy
//@ verdict vertex_place_bad: racy
//@ verdict edge_ok: race-free
//@ verdict edge_plain_bad: racy

__global__ void vertex_ok(const int *row, const int *column, const int *weight, const int *before, int *dist, int n) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int mine = before[v];
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e], far = mine + weight[e];
    atomicMin(&dist[u], far);
  }
}

__global__ void vertex_plain_bad(const int *row, const int *column, const int *weight, const int *before, int *dist, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int mine = before[v];
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e], far = mine + weight[e];
    if (far < dist[u]) // expect-race[rw](every)
      dist[u] = far;   // expect-race[rw](every) expect-race[ww](every)
  }
}

__global__ void vertex_place_bad(const int *row, const int *column, const int *weight, const int *before, int *dist, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  int mine = dist[v]; // expect-race[place](every)
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e], far = mine + weight[e];
    atomicMin(&dist[u], far); // expect-race[place](every)
  }
}

__global__ void edge_ok(const int *from, const int *to, const int *weight, const int *before, int *dist, int edges) { // expect-clean
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges || before[from[e]] == 0x7fffffff)
    return;
  int far = before[from[e]] + weight[e];
  atomicMin(&dist[to[e]], far);
}

__global__ void edge_plain_bad(const int *from, const int *to, const int *weight, const int *before, int *dist, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges || before[from[e]] == 0x7fffffff)
    return;
  int far = before[from[e]] + weight[e];
  if (far < dist[to[e]]) // expect-race[edge](every)
    dist[to[e]] = far;   // expect-race[edge](every) expect-race[edges](every)
}

int main(int argc, char **) {
  int n = argc * 1000, edges = 4 * n;
  int *row, *from, *to, *weight, *before, *dist;
  cudaMalloc((void **)&row, (n + 1) * sizeof(int));
  cudaMalloc((void **)&from, edges * sizeof(int));
  cudaMalloc((void **)&to, edges * sizeof(int));
  cudaMalloc((void **)&weight, edges * sizeof(int));
  cudaMalloc((void **)&before, n * sizeof(int));
  cudaMalloc((void **)&dist, n * sizeof(int));
  for (int round = 0; round < n; round++) {
    cudaMemcpy(before, dist, n * sizeof(int), cudaMemcpyDeviceToDevice);
    vertex_ok<<<(n + 255) / 256, 256>>>(row, to, weight, before, dist, n);
    vertex_plain_bad<<<(n + 255) / 256, 256>>>(row, to, weight, before, dist, n);
    vertex_place_bad<<<(n + 255) / 256, 256>>>(row, to, weight, before, dist, n);
    edge_ok<<<(edges + 255) / 256, 256>>>(from, to, weight, before, dist, edges);
    edge_plain_bad<<<(edges + 255) / 256, 256>>>(from, to, weight, before, dist, edges);
  }
  return 0;
}
