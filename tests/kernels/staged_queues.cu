// A level of a search in breadth: a block collects what it finds in shared memory, draws room in the next queue for as many
// as fit there, and copies them out together; what did not fit is put down one by one.
// level_ok. room_bad: the room that is drawn is one less than what is copied. stale_bad: one thread reads how many there are
// before the others have found theirs, so the room says nothing.
// each_ok: the number is read once, by the thread that draws; it is handed on with the place. local_ok: by a variable of that
// thread; local_bad: one more is handed on.
//@ verdict level_ok: race-free
//@ verdict room_bad: racy
//@ verdict stale_bad: racy
//@ verdict each_ok: race-free
//@ verdict local_ok: race-free
//@ verdict local_bad: racy
#define CAPACITY 1024
struct Graph {
  const int *row, *column;
};

__device__ void find(Graph graph, int *level, const int *queue, int count, int *next, int *next_count, int now,
                     int *found, int *found_count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int from = queue[i];
  for (int e = graph.row[from]; e < graph.row[from + 1]; e++) {
    int to = graph.column[e];
    if (atomicCAS(&level[to], -1, now) != -1) continue;
    int at = atomicAdd(found_count, 1); // expect-race[stale]
    if (at < CAPACITY)
      found[at] = to;
    else
      next[atomicAdd(next_count, 1)] = to; // expect-race[room] expect-race[stale] expect-race[local]
  }
}

#define LEVEL                                                                                                          \
  __shared__ int found[CAPACITY], found_count, base;                                                                   \
  if (threadIdx.x == 0) found_count = 0;                                                                               \
  __syncthreads();

__global__ void level_ok(Graph graph, int *level, const int *queue, int count, int *next, int *next_count, int now) { // expect-clean
  LEVEL
  find(graph, level, queue, count, next, next_count, now, found, &found_count);
  __syncthreads();
  int kept = min(found_count, CAPACITY);
  if (threadIdx.x == 0) base = atomicAdd(next_count, kept);
  __syncthreads();
  for (int j = threadIdx.x; j < kept; j += blockDim.x)
    next[base + j] = found[j];
}

__global__ void room_bad(Graph graph, int *level, const int *queue, int count, int *next, int *next_count, int now) {
  LEVEL
  find(graph, level, queue, count, next, next_count, now, found, &found_count);
  __syncthreads();
  int kept = min(found_count, CAPACITY);
  if (threadIdx.x == 0) base = atomicAdd(next_count, kept - 1);
  __syncthreads();
  for (int j = threadIdx.x; j < kept; j += blockDim.x)
    next[base + j] = found[j]; // expect-race[room]
}

__global__ void stale_bad(Graph graph, int *level, const int *queue, int count, int *next, int *next_count, int now) {
  LEVEL
  find(graph, level, queue, count, next, next_count, now, found, &found_count);
  if (threadIdx.x == 0) base = atomicAdd(next_count, min(found_count, CAPACITY)); // expect-race[stale]
  __syncthreads();
  int kept = min(found_count, CAPACITY);
  for (int j = threadIdx.x; j < kept; j += blockDim.x)
    next[base + j] = found[j]; // expect-race[stale]
}

__global__ void each_ok(Graph graph, int *level, const int *queue, int count, int *next, int *next_count, int now) { // expect-clean
  LEVEL
  __shared__ int kept;
  find(graph, level, queue, count, next, next_count, now, found, &found_count);
  __syncthreads();
  if (threadIdx.x == 0) {
    kept = min(found_count, CAPACITY);
    base = atomicAdd(next_count, kept);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < kept; j += blockDim.x)
    next[base + j] = found[j];
}

__global__ void local_ok(Graph graph, int *level, const int *queue, int count, int *next, int *next_count, int now) { // expect-clean
  LEVEL
  __shared__ int kept;
  find(graph, level, queue, count, next, next_count, now, found, &found_count);
  __syncthreads();
  if (threadIdx.x == 0) {
    int room = min(found_count, CAPACITY);
    kept = room;
    base = atomicAdd(next_count, room);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < kept; j += blockDim.x)
    next[base + j] = found[j];
}

__global__ void local_bad(Graph graph, int *level, const int *queue, int count, int *next, int *next_count, int now) {
  LEVEL
  __shared__ int kept;
  find(graph, level, queue, count, next, next_count, now, found, &found_count);
  __syncthreads();
  if (threadIdx.x == 0) {
    int room = min(found_count, CAPACITY);
    kept = room + 1;
    base = atomicAdd(next_count, room);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < kept; j += blockDim.x)
    next[base + j] = found[j]; // expect-race[local]
}

template <typename Kernel> void search(Kernel kernel) {
  int nodes = 1 << 16, edges = 1 << 20, *row, *column, *level, *queue, *next, *next_count;
  cudaMalloc(&row, (nodes + 1) * sizeof(int));
  cudaMalloc(&column, edges * sizeof(int));
  cudaMalloc(&level, nodes * sizeof(int));
  cudaMalloc(&queue, nodes * sizeof(int));
  cudaMalloc(&next, nodes * sizeof(int));
  cudaMalloc(&next_count, sizeof(int));
  cudaMemset(level, 0xff, nodes * sizeof(int));
  cudaMemset(queue, 0, sizeof(int));
  Graph graph = {row, column};
  for (int count = 1, now = 1; count; now++) {
    cudaMemset(next_count, 0, sizeof(int));
    kernel<<<(count + 255) / 256, 256>>>(graph, level, queue, count, next, next_count, now);
    cudaMemcpy(&count, next_count, sizeof(int), cudaMemcpyDeviceToHost);
    int *swapped = queue;
    queue = next;
    next = swapped;
  }
}

int main() {
  search(level_ok);
  search(room_bad);
  search(stale_bad);
  search(each_ok);
  search(local_ok);
  search(local_bad);
  return 0;
}
