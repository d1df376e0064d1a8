// Trees of a union-find. hook: a thread for each edge goes up from both ends and hooks the higher root below the lower one by
// compare-and-swap, whose result is where to go on (ok). With an atomic read and a plain store (bad) the store meets the reads of others
// [walk] and another hook of the same root [hooks].
// shorten: a thread for each vertex goes up and makes the vertices on its way skip their parents, all atomically (ok). With a plain store
// (bad) it meets the reads of others [first], [second], and stores of others on the same way [short].
// Vertices are any numbers, so the two threads of each race may be any two.
//@ pairs: exact
//@ verdict hook_ok: race-free
//@ verdict hook_bad: racy
//@ verdict shorten_ok: race-free
//@ verdict shorten_bad: racy
__global__ void hook_ok(const int *from, const int *to, int *parent, int edges) { // expect-clean
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges)
    return;
  int a = from[e], b = to[e];
  while (a != b) {
    int high = a > b ? a : b, low = a > b ? b : a;
    int seen = atomicCAS(&parent[high], high, low);
    if (seen == high)
      break;
    a = seen;
    b = low;
  }
}

__global__ void hook_bad(const int *from, const int *to, int *parent, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges)
    return;
  int a = from[e], b = to[e];
  while (a != b) {
    int high = a > b ? a : b, low = a > b ? b : a;
    int seen = atomicAdd(&parent[high], 0); // expect-race[walk](every)
    if (seen == high) {
      parent[high] = low; // expect-race[walk](every) expect-race[hooks](every)
      break;
    }
    a = seen;
    b = low;
  }
}

__global__ void shorten_ok(int *parent, int n) { // expect-clean
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  while (v < n) {
    int p = atomicAdd(&parent[v], 0);
    int q = atomicAdd(&parent[p], 0);
    if (p == q)
      break;
    atomicMin(&parent[v], q);
    v = q;
  }
}

__global__ void shorten_bad(int *parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  while (v < n) {
    int p = atomicAdd(&parent[v], 0); // expect-race[first](every)
    int q = atomicAdd(&parent[p], 0); // expect-race[second](every)
    if (p == q)
      break;
    parent[v] = q; // expect-race[first](every) expect-race[second](every) expect-race[short](every)
    v = q;
  }
}

int main(int argc, char **) {
  int n = argc * 1000, edges = 4 * n;
  int *from, *to, *parent;
  cudaMalloc((void **)&from, edges * sizeof(int));
  cudaMalloc((void **)&to, edges * sizeof(int));
  cudaMalloc((void **)&parent, n * sizeof(int));
  hook_ok<<<(edges + 255) / 256, 256>>>(from, to, parent, edges);
  hook_bad<<<(edges + 255) / 256, 256>>>(from, to, parent, edges);
  shorten_ok<<<(n + 255) / 256, 256>>>(parent, n);
  shorten_bad<<<(n + 255) / 256, 256>>>(parent, n);
  return 0;
}
