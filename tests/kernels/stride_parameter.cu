// Elements `step` apart are different for a positive step, which the host makes sure of by throwing otherwise (ok). A step
// of 0 puts all threads on one element (bad).
//@ verdict spread_ok: race-free
//@ verdict spread_bad: racy
#include <stdexcept>

__global__ void spread_ok(float *a, int n, int step) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i * step] = i;
}

__global__ void spread_bad(float *a, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i * step] = i; // expect-race
}

void spread(float *a, int n, int step) {
  if (step <= 0)
    throw std::invalid_argument("step");
  spread_ok<<<(n + 127) / 128, 128>>>(a, n, step);
}

int main(int argc, char **argv) {
  int n = argc, step = argv[0][0];
  float *a;
  cudaMalloc((void **)&a, 1 << 20);
  spread_bad<<<(n + 127) / 128, 128>>>(a, n, step);
  spread(a, n, step);
  return 0;
}
