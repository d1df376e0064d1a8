// Variables of the device that no host code mentions hold what they are initialised with until a kernel writes them: a stride (stride), starts in a table
// (table). Not behind a kernel that stores to it by name (set), or through a pointer that another kernel has told (told); not where the kernel itself
// writes it between (own); a stride of zero, which is written down, is one place for all (zero_bad).
//@ verdict stride_ok: race-free
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict set: race-free
//@ verdict tell: race-free
//@ verdict poke: race-free
//@ verdict set_bad: racy
//@ verdict told_bad: racy
//@ verdict own_bad: racy
//@ verdict zero_bad: racy
#include <cuda_runtime.h>

__device__ int stride = 3, other = 3, mine = 3, none = 0;
__device__ int starts[4] = {0, 64, 128, 192}, near[4] = {0, 64, 127, 192}, told[4] = {0, 64, 128, 192};
__device__ int *where;

__global__ void stride_ok(int *out) { out[threadIdx.x * stride] = threadIdx.x; } // expect-clean
__global__ void table_ok(int *out) {                                            // expect-clean
  out[starts[threadIdx.x / 64] + threadIdx.x % 64] = threadIdx.x;
}
__global__ void table_bad(int *out) {
  out[near[threadIdx.x / 64] + threadIdx.x % 64] = threadIdx.x; // expect-race
}
__global__ void set(int v) { other = v; } // expect-clean
__global__ void tell() { where = &told[1]; } // expect-clean
__global__ void poke(int v) { *where = v; } // expect-clean
__global__ void set_bad(int *out) {
  out[threadIdx.x * other] = threadIdx.x; // expect-race
}
__global__ void told_bad(int *out) {
  out[told[threadIdx.x / 64] + threadIdx.x % 64] = threadIdx.x; // expect-race
}
__global__ void own_bad(int *out, int v) {
  if (threadIdx.x == 0) mine = v;
  __syncthreads();
  out[threadIdx.x * mine] = threadIdx.x; // expect-race
}
__global__ void zero_bad(int *out) {
  out[threadIdx.x * none] = threadIdx.x; // expect-race
}

int main(int argc, char **) {
  int *a;
  cudaMalloc((void **)&a, 1024 * sizeof(int));
  stride_ok<<<1, 64>>>(a);
  table_ok<<<1, 256>>>(a);
  table_bad<<<1, 256>>>(a);
  set<<<1, 1>>>(argc);
  set_bad<<<1, 64>>>(a);
  tell<<<1, 1>>>();
  poke<<<1, 1>>>(argc);
  told_bad<<<1, 256>>>(a);
  own_bad<<<1, 64>>>(a, argc - 1);
  zero_bad<<<1, 64>>>(a);
  return 0;
}
