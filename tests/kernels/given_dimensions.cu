// No launch is visible, but the command line gives the dimensions: one-dimensional, so y and z are 0.
//@ args: --grid-dim=16 --block-dim=64
//@ verdict line_ok: race-free
//@ verdict line_bad: racy
__global__ void line_ok(float *a) { // expect-clean
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void line_bad(float *a) {
  a[blockIdx.x * 63 + threadIdx.x] = threadIdx.x; // expect-race {{-Winter-block-race}}
}
