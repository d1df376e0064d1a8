// Many threads may raise one flag: all store the same value, which is a note by itself. Storing who raised it is a race.
//@ verdict found_ok: race-free
//   drawn: what one lane drew, handed to its warp by a shuffle, is one value; from two lanes it is two.
//@ verdict found_bad: racy
//   reduced: the sum over a group is one value for all of it; what an operation of the program's own makes may not be.
//@ verdict reduced_ok: race-free
//@ verdict reduced_bad: racy
//   butterfly: rounds of exchanges over all bits of the lane leave one value in all lanes (ok); a bit less, two (bad).
//@ verdict butterfly_ok: race-free
//@ verdict butterfly_bad: racy
//   copied: so are large vectors, structs and bytes, out of one place that nobody writes (ok); not out of two (bad).
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//   packed: words that are not aligned may overlap by a part, and then each byte must be the same.
//@ verdict packed_ok: race-free
//@ verdict packed_bad: racy
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

__global__ void butterfly_ok(const float *in, float *out) {
  float v = in[threadIdx.x], most = v;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  out[threadIdx.x / 32] = v; // expect-same-value
  most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 1));
  most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 2));
  out[8 + threadIdx.x / 4] = most; // expect-same-value
}

__global__ void butterfly_bad(const float *in, float *out) {
  float v = in[threadIdx.x];
  for (int d = 8; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  out[threadIdx.x / 32] = v; // expect-race
}

struct Box {
  int least, most;
  short kind;
};

__global__ void copied_ok(int4 *a, const int4 *b, Box *box, char *bytes) {
  a[0] = b[7]; // expect-same-value
  Box all = {-1, 1, 3};
  *box = all; // expect-same-value
  memset(bytes, 0, 24); // expect-same-value
}

__global__ void copied_bad(int4 *a, const int4 *b, Box *box, char *bytes) {
  a[0] = b[threadIdx.x & 1]; // expect-race
  Box all = {-1, 1, 3};
  if (threadIdx.x == 5) all.most = 2;
  *box = all; // expect-race expect-same-value
  memset(bytes, threadIdx.x, 24); // expect-race
}

struct __attribute__((packed)) Tagged {
  char tag;
  int value;
};

__global__ void packed_ok(char *to) {
  ((Tagged *)(to + threadIdx.x))->value = 0x01010101; // expect-same-value
}

__global__ void packed_bad(char *to) {
  ((Tagged *)(to + threadIdx.x))->value = 0x01010102; // expect-race
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
  cudaMalloc((void **)&out, 32 * sizeof(float));
  butterfly_ok<<<1, 64>>>(in, out);
  butterfly_bad<<<1, 64>>>(in, out);
  reduced_ok<<<1, 64>>>(in, out);
  reduced_bad<<<1, 64>>>(in, out);
  drawn_bad<<<1, 32>>>(root, count);
  int4 *to, *from;
  Box *box;
  char *bytes;
  cudaMalloc((void **)&to, 16 * sizeof(int4));
  cudaMalloc((void **)&from, 16 * sizeof(int4));
  cudaMalloc((void **)&box, sizeof(Box));
  cudaMalloc((void **)&bytes, 64);
  copied_ok<<<1, 32>>>(to, from, box, bytes);
  copied_bad<<<1, 32>>>(to, from, box, bytes);
  packed_ok<<<1, 32>>>(bytes);
  packed_bad<<<1, 32>>>(bytes);
  return 0;
}
