// Many threads may raise one flag: all store the same value, which is a note by itself. Storing who raised it is a race.
//@ verdict found_ok: race-free
//   drawn: what one lane drew, handed to its warp by a shuffle, is one value; from two lanes it is two.
//@ verdict found_bad: racy
//   reduced: the sum over a group is one value for all of it; what an operation of the program's own makes may not be.
//@ verdict reduced_ok: race-free
//@ verdict reduced_bad: racy
//@ verdict drawn_ok: race-free
//@ verdict drawn_bad: racy
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

__global__ void reduced_ok(const float *in, float *out) {
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  out[threadIdx.x / 32] = cooperative_groups::reduce(warp, in[threadIdx.x], cooperative_groups::plus<float>()); // expect-same-value
}

__global__ void reduced_bad(const float *in, float *out) {
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  out[threadIdx.x / 32] = cooperative_groups::reduce(warp, in[threadIdx.x], [](float a, float) { return a; }); // expect-race
}

__global__ void found_ok(const int *a, int n, int wanted, int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] == wanted)
    *flag = 1; // expect-same-value
}

__global__ void found_bad(const int *a, int n, int wanted, int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] == wanted)
    *flag = i; // expect-race
}

__global__ void drawn_ok(unsigned *root, unsigned *count) {
  unsigned id = 0;
  if (threadIdx.x == 0)
    id = atomicAdd(count, 1);
  id = __shfl_sync(0xffffffff, id, 0);
  *root = id; // expect-same-value
}

__global__ void drawn_bad(unsigned *root, unsigned *count) {
  unsigned id = 0;
  if (threadIdx.x <= 1)
    id = atomicAdd(count, 1);
  id = __shfl_sync(0xffffffff, id, threadIdx.x & 1);
  *root = id; // expect-race
}

int main(int argc, char **) {
  int n = argc;
  int *a, *flag;
  cudaMalloc((void **)&a, n * sizeof(int));
  cudaMalloc((void **)&flag, sizeof(int));
  found_ok<<<(n + 127) / 128, 128>>>(a, n, 7, flag);
  found_bad<<<(n + 127) / 128, 128>>>(a, n, 7, flag);
  unsigned *root, *count;
  cudaMalloc((void **)&root, sizeof(unsigned));
  cudaMalloc((void **)&count, sizeof(unsigned));
  drawn_ok<<<1, 32>>>(root, count);
  float *in, *out;
  cudaMalloc((void **)&in, 64 * sizeof(float));
  cudaMalloc((void **)&out, 2 * sizeof(float));
  reduced_ok<<<1, 64>>>(in, out);
  reduced_bad<<<1, 64>>>(in, out);
  drawn_bad<<<1, 32>>>(root, count);
  return 0;
}
