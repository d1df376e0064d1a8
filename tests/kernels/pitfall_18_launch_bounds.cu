// No launch is visible, so every launch within __launch_bounds__(256) counts: x * y * z <= 256 threads of any shape.
// flat_bad: threads that differ in y alone meet. flat_ok: the number within the block takes all three coordinates.
//@ verdict flat_ok: race-free
//@ verdict flat_bad: racy
__global__ void __launch_bounds__(256) flat_ok(int *out) { // expect-clean
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * 256 + thread] = thread;
}

__global__ void __launch_bounds__(256) flat_bad(int *out) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = threadIdx.x;
  out[block * 256 + thread] = threadIdx.y; // expect-race {{-Wintra}}
}
