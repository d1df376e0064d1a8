// Divergent barrier. AccelerateHS/accelerate-cuda #5 (accelerate issue 123): the generated fold had its tree of sums, with
// __syncthreads() in each step, inside conditions that some threads of a block fail.
// The threads from half on skip the barrier of a step and go to the one of the next step. Fixed: the condition holds for adding only.
// What a step adds comes from the other half of the threads, which do not write in that step.
//@ verdict fold: undecided
//@ verdict fold_fixed: race-free
#include <cstdlib>

template <int SIZE> __global__ void fold(const int *in, int *out, int n) {
  __shared__ int data[SIZE];
  int tid = threadIdx.x, i = blockIdx.x * SIZE + tid;
  data[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = SIZE / 2; half > 0; half /= 2) {
    if (tid < half) {
      data[tid] += data[tid + half];
      __syncthreads(); // expect-divergence
    }
  }
  __syncthreads();
  if (tid == SIZE - 1)
    out[blockIdx.x] = data[0];
}

template <int SIZE> __global__ void fold_fixed(const int *in, int *out, int n) { // expect-clean
  __shared__ int data[SIZE];
  int tid = threadIdx.x, i = blockIdx.x * SIZE + tid;
  data[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = SIZE / 2; half > 0; half /= 2) {
    if (tid < half)
      data[tid] += data[tid + half];
    __syncthreads();
  }
  __syncthreads();
  if (tid == SIZE - 1)
    out[blockIdx.x] = data[0];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), blocks = (n + 255) / 256, *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, blocks * sizeof(int));
  fold<256><<<blocks, 256>>>(in, out, n);
  fold_fixed<256><<<blocks, 256>>>(in, out, n);
}
