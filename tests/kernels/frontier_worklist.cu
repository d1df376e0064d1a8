// One level of a breadth-first search that fills the next list: whoever turns a vertex's level from -1 to the next depth puts it there, at
// a place drawn from a counter. Levels are only touched by atomic operations, places differ (ok).
// Claimed by a plain test (plain): a level is read while another thread writes it [level]; all write the same [same]. The list then may name a
// vertex twice, at two places. Drawn by a plain increment (drawn): [tail], [tails], and two threads may have one place [place].
// Neighbours are any vertices, so the two threads may be any two.
//@ pairs: exact
//@ verdict level_ok: race-free
//@ verdict level_plain_bad: racy
//@ verdict level_drawn_bad: racy

__global__ void level_ok(const int *row, const int *column, const int *now, int count, int *level, int *next, int *tail, int depth) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int v = now[i];
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e];
    if (atomicCAS(&level[u], -1, depth + 1) == -1) {
      next[atomicAdd(tail, 1)] = u;
    }
  }
}

__global__ void level_plain_bad(const int *row, const int *column, const int *now, int count, int *level, int *next, int *tail, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int v = now[i];
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e];
    if (level[u] == -1) { // expect-race[level](every)
      level[u] = depth + 1; // expect-race[level](every) expect-same-value[same]
      next[atomicAdd(tail, 1)] = u;
    }
  }
}

__global__ void level_drawn_bad(const int *row, const int *column, const int *now, int count, int *level, int *next, int *tail, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int v = now[i];
  for (int e = row[v]; e < row[v + 1]; e++) {
    int u = column[e];
    if (atomicCAS(&level[u], -1, depth + 1) == -1) {
      int at = *tail;  // expect-race[tail](every)
      *tail = at + 1;  // expect-race[tail](every) expect-race[tails](every)
      next[at] = u;    // expect-race[place](every)
    }
  }
}

int main(int argc, char **) {
  int n = argc * 1000, edges = 4 * n;
  int *row, *column, *now, *next, *level, *tail;
  cudaMalloc((void **)&row, (n + 1) * sizeof(int));
  cudaMalloc((void **)&column, edges * sizeof(int));
  cudaMalloc((void **)&now, n * sizeof(int));
  cudaMalloc((void **)&next, n * sizeof(int));
  cudaMalloc((void **)&level, n * sizeof(int));
  cudaMalloc((void **)&tail, sizeof(int));
  for (int depth = 0; depth < 20; depth++) {
    int count = argc + depth;
    cudaMemset(tail, 0, sizeof(int));
    level_ok<<<(count + 255) / 256, 256>>>(row, column, now, count, level, next, tail, depth);
    cudaMemset(tail, 0, sizeof(int));
    level_plain_bad<<<(count + 255) / 256, 256>>>(row, column, now, count, level, next, tail, depth);
    cudaMemset(tail, 0, sizeof(int));
    level_drawn_bad<<<(count + 255) / 256, 256>>>(row, column, now, count, level, next, tail, depth);
  }
  return 0;
}
