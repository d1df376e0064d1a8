// Divergent barrier. tile-ai/tilelang #1026: a generated kernel, in which a thread of even number moves its neighbour's value by way of
// shared memory, got its __syncthreads() inside the branch of the even threads.
// The odd threads go to the barrier behind the branch instead. Fixed: the barrier stands before the branch, where it also orders what is
// read there. An even thread writes the place of its odd neighbour, which nobody reads in between.
//@ verdict shift: undecided
//@ verdict shift_fixed: race-free

__global__ void __launch_bounds__(32, 1) shift(const float *in, float *out) {
  __shared__ float data[32];
  int tx = threadIdx.x;
  data[tx] = in[tx];
  if (tx % 2 == 0) {
    float a = data[tx];
    __syncthreads(); // expect-divergence
    data[tx ^ 1] = a;
  }
  __syncthreads();
  out[tx] = data[31 - tx];
}

__global__ void __launch_bounds__(32, 1) shift_fixed(const float *in, float *out) { // expect-clean
  __shared__ float data[32];
  int tx = threadIdx.x;
  data[tx] = in[tx];
  __syncthreads();
  if (tx % 2 == 0) {
    float a = data[tx];
    data[tx ^ 1] = a;
  }
  __syncthreads();
  out[tx] = data[31 - tx];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  shift<<<1, 32>>>(in, out);
  shift_fixed<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
