// Managed variables hold what the host wrote there itself, not what they began with. width: the rows' distance, only asked for (ok) or set by
// name; through: by a pointer; cleared: by the runtime, which is given the address; given: the variable is an argument as well.
//@ verdict width_ok: race-free
//@ verdict width_bad: racy
//@ verdict through_bad: racy
//@ verdict cleared_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
#include <cuda_runtime.h>

__managed__ int kept = 128, set = 128, cleared = 128, part[2] = {128, 128}, list[512];

__global__ void width_ok(int *a) { // expect-clean
  a[blockIdx.x * kept + threadIdx.x] = blockIdx.x;
}
__global__ void width_bad(int *a) {
  a[blockIdx.x * set + threadIdx.x] = blockIdx.x; // expect-race
}
__global__ void through_bad(int *a) {
  a[blockIdx.x * part[1] + threadIdx.x] = blockIdx.x; // expect-race
}
__global__ void cleared_bad(int *a) {
  a[blockIdx.x * cleared + threadIdx.x] = blockIdx.x; // expect-race
}
__global__ void given_ok(int *a) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  a[t] = 1;
  list[t] = t;
}
__global__ void given_bad(int *a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  a[t] = 1;        // expect-race
  list[t ^ 1] = t; // expect-race
}

int main() {
  int *a;
  cudaMalloc((void **)&a, 1024 * sizeof(int));
  int width;
  cudaMemcpyFromSymbol(&width, kept, sizeof width);
  width_ok<<<4, 128>>>(a);
  set = 64;
  width_bad<<<4, 128>>>(a);
  int *q = part;
  q[1] = 100;
  through_bad<<<4, 128>>>(a);
  cudaMemset(&cleared, 0, sizeof cleared);
  cleared_bad<<<4, 128>>>(a);
  given_ok<<<4, 128>>>(list);
  given_bad<<<4, 128>>>(list);
}
