// A vector is copied to the diagonal of a matrix: i * (dim + 1) is another one for each i unless dim is -1. `dim` is a size of the matrix that
// the host allocates, so it is positive. Broken: the host passes a length from the command line, which may be -1 [ww].
//@ pairs: exact
//@ verdict copyFromVec: race-free
//@ verdict copyFromVec_broken: racy
#include <cstdlib>

__global__ void copyFromVec(float *matrix, const float *vector, int dim, int count) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    matrix[i * (dim + 1)] = vector[i];
}

__global__ void copyFromVec_broken(float *matrix, const float *vector, int dim, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    matrix[i * (dim + 1)] = vector[i]; // expect-race[ww](every)
}

int main(int argc, char **argv) {
  int dim = atoi(argv[1]), count = atoi(argv[2]), other = atoi(argv[3]);
  float *matrix, *vector;
  cudaMalloc((void **)&matrix, dim * sizeof(float) * dim);
  cudaMalloc((void **)&vector, count * sizeof(float));
  copyFromVec<<<(count + 255) / 256, 256>>>(matrix, vector, dim, count);
  copyFromVec_broken<<<(count + 255) / 256, 256>>>(matrix, vector, other, count);
  return 0;
}
