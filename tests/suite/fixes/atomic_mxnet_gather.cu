// Atomic. apache/mxnet #9200 (issue 9172): the gradient of gather_nd was computed as scatter_nd, which stores; with an index that occurs
// twice it has to be added up.
// Two elements of the output may have taken the same row of the data, in any two threads; each stores its own gradient there [row].
// Fixed: atomicAdd.
//@ pairs: exact
//@ verdict gather_nd_backward: racy
//@ verdict gather_nd_backward_fixed: race-free
#include <cstdlib>

struct Strides {
  int s[4];
};

__global__ void gather_nd_backward(const float *grad, const int *indices, float *data_grad, int n, int m, int k, Strides strides) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int offset = 0;
    for (int j = 0; j < m; j++)
      offset += strides.s[j] * indices[j * n + i];
    for (int j = 0; j < k; j++)
      data_grad[offset + j] = grad[i * k + j]; // expect-race[row](every)
  }
}

__global__ void gather_nd_backward_fixed(const float *grad, const int *indices, float *data_grad, int n, int m, int k, // expect-clean
                                         Strides strides) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int offset = 0;
    for (int j = 0; j < m; j++)
      offset += strides.s[j] * indices[j * n + i];
    for (int j = 0; j < k; j++)
      atomicAdd(&data_grad[offset + j], grad[i * k + j]);
  }
}

int main(int argc, char **argv) {
  int rows = 100, columns = 30, k = 16, n = atoi(argv[1]);
  Strides strides = {{columns * k, k, 0, 0}};
  float *grad, *data_grad;
  int *indices;
  cudaMalloc(&grad, n * k * sizeof(float));
  cudaMalloc(&indices, 2 * n * sizeof(int));
  cudaMalloc(&data_grad, rows * columns * k * sizeof(float));
  cudaMemset(data_grad, 0, rows * columns * k * sizeof(float));
  gather_nd_backward<<<64, 256>>>(grad, indices, data_grad, n, 2, k, strides);
  cudaMemset(data_grad, 0, rows * columns * k * sizeof(float));
  gather_nd_backward_fixed<<<64, 256>>>(grad, indices, data_grad, n, 2, k, strides);
}
