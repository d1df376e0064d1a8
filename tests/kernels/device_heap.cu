// malloc and new in device code: each call gives memory of its own. Threads that keep what they allocated never meet there;
// what thread 0 allocates for its block is shared by the block, and by nobody else.
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict objects_ok: race-free
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict of_block_ok: race-free
//@ verdict of_block_bad: racy
//@ verdict in_rounds_ok: race-free
//@ verdict in_rounds_bad: racy
//@ verdict of_each_warp: undecided
//@ verdict handed_on: undecided
//@ verdict first_of_many: undecided
//@ verdict counted: racy
//@ verdict released_ok: race-free
//@ verdict released_bad: undecided
//@ verdict released_by_all: undecided
//@ verdict released_by_neighbour: undecided
#include <cstdlib>

__global__ void own_ok(int *out, int n) { // expect-clean
  int *own = (int *)malloc(n * sizeof(int));
  if (!own) return;
  for (int i = 0; i < n; i++) own[i] = i;
  out[blockIdx.x * blockDim.x + threadIdx.x] = own[n / 2];
  free(own);
}

__global__ void own_bad(int *out, int n) {
  int *own = (int *)malloc(n * sizeof(int));
  if (!own) return;
  for (int i = 0; i < n; i++) own[i] = i;
  out[blockIdx.x * blockDim.x + threadIdx.x / 2] = threadIdx.x; // expect-race
  free(own);
}

struct Pair {
  int first, second;
};

__global__ void objects_ok(int *out, int k) { // expect-clean
  Pair *pair = new Pair;
  int *list = new int[k];
  Pair *either = k > 4 ? pair : new Pair;
  pair->first = threadIdx.x;
  either->second = k;
  list[0] = pair->first + either->second;
  out[blockIdx.x * blockDim.x + threadIdx.x] = list[0];
  delete pair;
  delete[] list;
}

__global__ void table_ok(int **table) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x, *made = new int[4];
  made[0] = t;
  table[t] = made;
}

__global__ void table_bad(int **table) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, *made = new int[4];
  made[0] = t;
  table[t & ~1] = made; // expect-race
}

__global__ void of_block_ok(int *out) { // expect-clean
  __shared__ int *part;
  if (threadIdx.x == 0) part = (int *)malloc(128 * sizeof(int));
  __syncthreads();
  if (!part) return;
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = part[127 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(part);
}

__global__ void of_block_bad(int *out) {
  __shared__ int *part;
  if (threadIdx.x == 0) part = (int *)malloc(128 * sizeof(int));
  __syncthreads();
  if (!part) return;
  part[threadIdx.x] = threadIdx.x;                                         // expect-race
  out[blockIdx.x * blockDim.x + threadIdx.x] = part[127 - threadIdx.x]; // expect-race
  __syncthreads();
  if (threadIdx.x == 0) free(part);
}

__global__ void in_rounds_ok(int *out, int n) { // expect-clean
  __shared__ int *part;
  if (threadIdx.x == 0) part = new int[128];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < n; i++) {
    part[threadIdx.x] = i;
    __syncthreads();
    sum += part[127 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void in_rounds_bad(int *out, int n) {
  __shared__ int *part;
  if (threadIdx.x == 0) part = new int[128];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < n; i++) {
    part[threadIdx.x] = i; // expect-race
    __syncthreads();
    sum += part[127 - threadIdx.x]; // expect-race
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One for each warp, in one variable: whose it is that the others read is not known.
__global__ void of_each_warp(int *out) {
  __shared__ int *part[4];
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = new int[32];
  __syncthreads();
  int *mine = part[threadIdx.x / 32];
  mine[threadIdx.x % 32] = threadIdx.x;
}

// The neighbour writes to it as well.
__global__ void handed_on(int *out) {
  __shared__ int *parts[128];
  int *own = new int[4];
  parts[threadIdx.x] = own;
  __syncthreads();
  parts[threadIdx.x ^ 1][0] = threadIdx.x;
  own[0] = 1;
}

// All allocate, and thread 0 tells where its own is.
__global__ void first_of_many(int *out) {
  __shared__ int *part;
  int *own = new int[128];
  if (threadIdx.x == 0) part = own;
  __syncthreads();
  own[0] = 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = part[0];
}

// Each thread counts by itself: all draw 0.
__global__ void counted(int *out) {
  int *own = new int[1];
  own[0] = 0;
  out[blockIdx.x * blockDim.x + atomicAdd(own, 1)] = threadIdx.x; // expect-race
}

// Thread 0 releases what others may still read; twin: behind a barrier.
template <bool WAITS> __device__ void released(int *out) {
  __shared__ int *part;
  if (threadIdx.x == 0) part = (int *)malloc(128 * sizeof(int));
  __syncthreads();
  if (!part) return;
  part[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = part[threadIdx.x];
  if (WAITS) __syncthreads();
  if (threadIdx.x == 0) free(part);
}
__global__ void released_ok(int *out) { released<true>(out); } // expect-clean
__global__ void released_bad(int *out) { released<false>(out); }

__global__ void released_by_all(int *out) {
  __shared__ int *part;
  if (threadIdx.x == 0) part = (int *)malloc(128 * sizeof(int));
  __syncthreads();
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  free(part);
}

__global__ void released_by_neighbour(int *out) {
  __shared__ int *parts[128];
  int *own = new int[4];
  parts[threadIdx.x] = own;
  __syncthreads();
  own[0] = threadIdx.x;
  delete[] parts[threadIdx.x ^ 1];
}

int main() {
  int *out, **table;
  cudaMalloc((void **)&out, 4 * 128 * sizeof(int));
  cudaMalloc((void **)&table, 4 * 128 * sizeof(int *));
  own_ok<<<4, 128>>>(out, 8);
  own_bad<<<4, 128>>>(out, 8);
  objects_ok<<<4, 128>>>(out, 8);
  table_ok<<<4, 128>>>(table);
  table_bad<<<4, 128>>>(table);
  of_block_ok<<<4, 128>>>(out);
  of_block_bad<<<4, 128>>>(out);
  in_rounds_ok<<<4, 128>>>(out, 8);
  in_rounds_bad<<<4, 128>>>(out, 8);
  of_each_warp<<<4, 128>>>(out);
  handed_on<<<4, 128>>>(out);
  first_of_many<<<4, 128>>>(out);
  counted<<<4, 128>>>(out);
  released_ok<<<4, 128>>>(out);
  released_bad<<<4, 128>>>(out);
  released_by_all<<<4, 128>>>(out);
  released_by_neighbour<<<4, 128>>>(out);
}
