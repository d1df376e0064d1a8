// Forms of real programs that are not followed yet, each with what is right to say of it, so that they stay in sight.
//   votes: lanes of a warp write places by rank, a warp barrier, others read; rows go by a vote, many of them without any.
//   listed: the host lists a tile if it is not listed yet, so no tile is there twice.
//   queue: a queue grows behind what is read: its counter starts at the end that the kernel is given, copied back by the host.
//   label: who is its own label writes there, by all lanes alike: one value, so no more than a remark.
//   best: cub's storage is used again in the next round without a barrier, for a struct whose operator branches.
//@ verdict votes_ok: race-free
//@ verdict votes_bad: racy
//@ verdict listed_ok: race-free
//@ verdict listed_bad: racy
//@ verdict queue_start: race-free
//@ verdict queue_ok: race-free
//@ known-false-alarm queue_ok: that a number copied back is the counter's, and that the counter starts there, is not known
//@ verdict queue_bad: racy
//@ verdict label_start: race-free
//@ verdict label_link: race-free
//@ verdict label_ok: race-free
//@ verdict best_ok: race-free
//@ verdict best_bad: racy
#include <cstdlib>
#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>

template <bool BARRIER> __device__ void votes(const int *rows, const int *cols, int *out, int n) {
  __shared__ int s[256];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  for (int row = blockIdx.x * 8 + w; row < n; row += gridDim.x * 8) {
    int b = rows[row], e = rows[row + 1], sum = 0;
    for (int it = b + l; __any_sync(0xffffffffu, it < e); it += 32) {
      int c = it < e ? cols[it] : -1;
      bool f = it < e && c != row;
      int vote = __ballot_sync(0xffffffffu, f), dest = __popc(vote & ((1 << l) - 1));
      if (f) s[w * 32 + dest] = c; // expect-race[votes]
      if (BARRIER) __syncwarp();
      int m = __popc(vote);
      for (int k = 0; k < m; k++)
        sum += s[w * 32 + k]; // expect-race[votes]
      __syncwarp();
    }
    if (l == 0) out[row] = sum;
  }
}
__global__ void votes_ok(const int *rows, const int *cols, int *out, int n) { votes<true>(rows, cols, out, n); } // expect-clean
__global__ void votes_bad(const int *rows, const int *cols, int *out, int n) { votes<false>(rows, cols, out, n); }

__device__ void tiles(const unsigned *list, float *sol, unsigned n) {
  if (blockIdx.x < n) sol[list[blockIdx.x] * 64 + threadIdx.x] += 1; // expect-race[listed]
}
__global__ void listed_ok(const unsigned *list, float *sol, unsigned n) { tiles(list, sol, n); } // expect-clean
__global__ void listed_bad(const unsigned *list, float *sol, unsigned n) { tiles(list, sol, n); }

__global__ void queue_start(int *queue, int *tail) { // expect-clean
  queue[0] = 0;
  *tail = 1;
}
__device__ void grow(const int *next, int *seen, int *queue, int *tail, int start, int end) {
  for (int i = start + threadIdx.x + blockIdx.x * 256; i < end; i += gridDim.x * 256) {
    int v = queue[i], w = next[v]; // expect-race[queue]
    if (atomicExch(&seen[w], 1) == 0) queue[atomicAdd(tail, 1)] = w; // expect-race[queue]
  }
}
__global__ void queue_ok(const int *next, int *seen, int *queue, int *tail, int start, int end) { // expect-clean
  grow(next, seen, queue, tail, start, end);
}
__global__ void queue_bad(const int *next, int *seen, int *queue, int *tail, int start, int end) {
  grow(next, seen, queue, tail, start, end);
}

__global__ void label_start(int *label, int n) { // expect-clean
  for (int v = threadIdx.x + blockIdx.x * 256; v < n; v += gridDim.x * 256)
    label[v] = v;
}
__global__ void label_link(int *label, const int *e, int n) { // expect-clean
  for (int v = threadIdx.x + blockIdx.x * 256; v < n; v += gridDim.x * 256)
    atomicMin(&label[e[v]], v);
}
__global__ void label_ok(const int *label, int *count, int n, int high) {
  int from = (threadIdx.x + blockIdx.x * 256) / 32, step = gridDim.x * 256 / 32;
  for (int v = from; v < n; v += step) {
    int l = label[v];
    if (l == v) count[l] = l == high ? 0 : 100; // expect-same-value
  }
}

struct Best {
  float data;
  int index;
  __device__ Best operator+(const Best &o) const {
    if (data > o.data) return {data, index};
    return {o.data, o.index};
  }
};
template <bool BARRIER> __device__ void best(const float *x, int *out, int d) {
  typedef cub::BlockReduce<Best, 1024> Reduce;
  __shared__ typename Reduce::TempStorage temp;
  Best most = {-1e30f, 0};
  for (int i = 0; i < (d + 1023) / 1024; i++) {
    int at = i * 1024 + threadIdx.x;
    Best v = {at < d ? x[blockIdx.x * d + at] : 0.f, at};
    Best r = Reduce(temp).Sum(v); // expect-race[best]
    if (!(most.data > r.data)) most = r;
    if (BARRIER) __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = most.index;
}
__global__ void best_ok(const float *x, int *out, int d) { best<true>(x, out, d); } // expect-clean
__global__ void best_bad(const float *x, int *out, int d) { best<false>(x, out, d); }

static void launch_label(int n, int high) {
  int *label, *count, *e;
  cudaMalloc(&label, 4 * n);
  cudaMalloc(&count, 4 * n);
  cudaMalloc(&e, 4 * n);
  label_start<<<64, 256>>>(label, n);
  label_link<<<64, 256>>>(label, e, n);
  label_ok<<<64, 256>>>(label, count, n, high);
}

static void launch_listed(int argc, char **argv) {
  unsigned tiles = atoi(argv[1]), n = 0, m = 0;
  unsigned *h = (unsigned *)malloc(tiles * 4), *g = (unsigned *)malloc(argc * 4), *d, *e;
  bool *listed = (bool *)calloc(tiles, 1);
  float *sol;
  cudaMalloc(&d, tiles * 4);
  cudaMalloc(&e, argc * 4);
  cudaMalloc(&sol, tiles * 256);
  for (int j = 2; j < argc; j++) {
    unsigned i = atoi(argv[j]);
    if (!listed[i]) {
      listed[i] = true;
      h[n++] = i;
    }
  }
  cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
  listed_ok<<<n, 64>>>(d, sol, n);
  for (int j = 2; j < argc; j++)
    g[m++] = atoi(argv[j]);
  cudaMemcpy(e, g, m * 4, cudaMemcpyHostToDevice);
  listed_bad<<<m, 64>>>(e, sol, m);
}

static void launch_queue() {
  int n = 100000, *next, *seen, *queue, *tail, start = 0, end = 1;
  cudaMalloc(&next, 4 * n);
  cudaMalloc(&seen, 4 * n);
  cudaMalloc(&queue, 4 * n);
  cudaMalloc(&tail, 4);
  queue_start<<<1, 1>>>(queue, tail);
  while (start < end) {
    queue_ok<<<64, 256>>>(next, seen, queue, tail, start, end);
    start = end;
    cudaMemcpy(&end, tail, 4, cudaMemcpyDeviceToHost);
  }
  queue_start<<<1, 1>>>(queue, tail);
  queue_bad<<<64, 256>>>(next, seen, queue, tail, 0, n / 2);
}

int main(int argc, char **argv) {
  int *a, *b, *c, n = argc * 1000;
  cudaMalloc(&a, 4 * n + 1024);
  cudaMalloc(&b, 4 * n + 1024);
  cudaMalloc(&c, 4 * n + 1024);
  votes_ok<<<(n + 7) / 8, 256>>>(a, b, c, n);
  votes_bad<<<(n + 7) / 8, 256>>>(a, b, c, n);
  launch_listed(argc, argv);
  launch_queue();
  launch_label(n, argc);
  best_ok<<<16, 1024>>>((float *)a, b, argc * 100);
  best_bad<<<16, 1024>>>((float *)a, b, argc * 100);
}
