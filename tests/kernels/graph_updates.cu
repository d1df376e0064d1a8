// Three ways to bring values along the edges of a graph, with work only for some vertices or edges. Numbers of neighbours are any numbers, so
// the two threads of each race may be any two.
// pull: an active vertex takes from its neighbours what they had before and writes its own place (ok); written into the array that it
// reads (bad), an active neighbour writes what it reads. push: it adds to places of its neighbours, atomically (ok) or not (bad). edge:
// an edge between groups raises the best weight at its end, atomically (ok), or with a plain test and store (bad); kept[e] is its own.
//@ pairs: exact
//@ verdict pull_ok: race-free
//@ verdict pull_bad: racy
//@ verdict push_ok: race-free
//@ verdict push_bad: racy
//@ verdict edge_ok: race-free
//@ verdict edge_bad: racy

__global__ void pull_ok(const int *row, const int *column, const int *active, const float *before, float *after, int n) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !active[v])
    return;
  float sum = 0;
  for (int e = row[v]; e < row[v + 1]; e++)
    if (column[e] != v)
      sum += before[column[e]];
  after[v] = sum;
}

__global__ void pull_bad(const int *row, const int *column, const int *active, float *before, float *after, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !active[v])
    return;
  float sum = 0;
  for (int e = row[v]; e < row[v + 1]; e++)
    if (column[e] != v)
      sum += before[column[e]]; // expect-race[pull](every)
  before[v] = sum; // expect-race[pull](every)
}

__global__ void push_ok(const int *row, const int *column, const int *active, const float *before, float *after, int n) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !active[v] || row[v] == row[v + 1])
    return;
  float part = before[v] / (row[v + 1] - row[v]);
  for (int e = row[v]; e < row[v + 1]; e++)
    atomicAdd(&after[column[e]], part);
}

__global__ void push_bad(const int *row, const int *column, const int *active, const float *before, float *after, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !active[v] || row[v] == row[v + 1])
    return;
  float part = before[v] / (row[v + 1] - row[v]);
  for (int e = row[v]; e < row[v + 1]; e++)
    after[column[e]] += part; // expect-race[push](every)
}

__global__ void edge_ok(const int *from, const int *to, const int *weight, const int *group, int *best, int *kept, int edges, int limit) { // expect-clean
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges || group[from[e]] == group[to[e]])
    return;
  kept[e] = 1;
  if (weight[e] > limit)
    atomicMax(&best[to[e]], weight[e]);
}

__global__ void edge_bad(const int *from, const int *to, const int *weight, const int *group, int *best, int *kept, int edges, int limit) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges || group[from[e]] == group[to[e]])
    return;
  kept[e] = 1;
  if (best[to[e]] < weight[e]) // expect-race[seen](every)
    best[to[e]] = weight[e]; // expect-race[seen](every) expect-race[best](every)
}

int main(int argc, char **) {
  int n = argc * 1000, edges = 4 * n;
  int *row, *column, *active, *from, *weight, *group, *best, *kept;
  float *before, *after;
  cudaMalloc((void **)&row, (n + 1) * sizeof(int));
  cudaMalloc((void **)&column, edges * sizeof(int));
  cudaMalloc((void **)&active, n * sizeof(int));
  cudaMalloc((void **)&from, edges * sizeof(int));
  cudaMalloc((void **)&weight, edges * sizeof(int));
  cudaMalloc((void **)&group, n * sizeof(int));
  cudaMalloc((void **)&best, n * sizeof(int));
  cudaMalloc((void **)&kept, edges * sizeof(int));
  cudaMalloc((void **)&before, n * sizeof(float));
  cudaMalloc((void **)&after, n * sizeof(float));
  int blocks = (n + 255) / 256, edge_blocks = (edges + 255) / 256;
  pull_ok<<<blocks, 256>>>(row, column, active, before, after, n);
  pull_bad<<<blocks, 256>>>(row, column, active, before, after, n);
  push_ok<<<blocks, 256>>>(row, column, active, before, after, n);
  push_bad<<<blocks, 256>>>(row, column, active, before, after, n);
  edge_ok<<<edge_blocks, 256>>>(from, column, weight, group, best, kept, edges, argc);
  edge_bad<<<edge_blocks, 256>>>(from, column, weight, group, best, kept, edges, argc);
  return 0;
}
