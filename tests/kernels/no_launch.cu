// No launch is visible: every launch counts. flat_ok keeps apart whatever the dimensions are; flat_bad forgets y and z,
// which some launch uses.
//@ verdict flat_ok: race-free
//@ verdict flat_bad: racy
__global__ void flat_ok(float *a) { // expect-clean
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  a[(size_t)block * (blockDim.x * blockDim.y * blockDim.z) + thread] = 1;
}

__global__ void flat_bad(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.y; // expect-race
}
