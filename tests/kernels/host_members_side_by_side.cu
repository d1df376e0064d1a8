// Sizes and strides of a tensor that a struct of the kernel's parameters copies from the host's arrays, in one loop of its constructor: the stores to the one
// member array come to the other in no round that the loop makes (tensor), nor do two parts of one array (parts), also downwards (down). In the twins a stride
// is zero (tensor_bad), or the loop makes a round more, in which the store to the first part comes to the second (parts_bad).
//@ verdict tensor_ok: race-free
//@ verdict tensor_bad: racy
//@ verdict parts_ok: race-free
//@ verdict parts_bad: racy
//@ verdict down_ok: race-free
#include <cstdlib>
#include <cuda_runtime.h>

struct Tensor {
  float *data;
  long size[2], stride[2];
  Tensor(float *d, const long *s, const long *by) : data(d) {
    for (int i = 0; i < 2; i++) {
      size[i] = s[i];
      stride[i] = by[i];
    }
  }
  __device__ float &at(long i, long j) { return data[i * stride[0] + j * stride[1]]; }
};

__device__ void fill(Tensor t) {
  long i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < t.size[0] && j < t.size[1]) t.at(i, j) = i - j; // expect-race[tensor]
}
__global__ void tensor_ok(Tensor t) { fill(t); } // expect-clean
__global__ void tensor_bad(Tensor t) { fill(t); }

struct Parts {
  long of[6];
};
__device__ void fill(float *a, Parts p) {
  long i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.of[0] && j < p.of[1]) a[i * p.of[2] + j * p.of[3]] = i - j; // expect-race[parts]
}
__global__ void parts_ok(float *a, Parts p) { fill(a, p); } // expect-clean
__global__ void parts_bad(float *a, Parts p) { fill(a, p); }
__global__ void down_ok(float *a, Parts p) { fill(a, p); } // expect-clean

int main(int, char **argv) {
  long n = atoi(argv[1]), m = atoi(argv[2]);
  float *d;
  cudaMalloc((void **)&d, n * m * sizeof(float));
  long s[3] = {n, m, 0}, by[3] = {m, 1, 0}, none[3] = {0, 1, 0};
  dim3 grid((m + 255) / 256, n);
  tensor_ok<<<grid, 256>>>(Tensor(d, s, by));
  tensor_bad<<<grid, 256>>>(Tensor(d, s, none));
  Parts p, q, r;
  for (int i = 0; i < 2; i++) {
    p.of[i] = s[i];
    p.of[2 + i] = by[i];
  }
  parts_ok<<<grid, 256>>>(d, p);
  for (int i = 0; i < 3; i++) {
    q.of[i] = s[i];
    q.of[2 + i] = by[i];
  }
  parts_bad<<<grid, 256>>>(d, q);
  for (int i = 1; i >= 0; i--) {
    r.of[2 + i] = by[i];
    r.of[i] = s[i];
  }
  down_ok<<<grid, 256>>>(d, r);
  return 0;
}
