// Each thread steps through the array by the number of all threads. Stepping by the block size instead, a thread walks
// into the elements of the next block.
//@ verdict saxpy_ok: race-free
//@ verdict saxpy_bad: racy
__global__ void saxpy_ok(int n, float a, const float *x, float *y) { // expect-clean
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

__global__ void saxpy_bad(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    y[i] = a * x[i] + y[i]; // expect-race {{-Winter-block-race}}
}

int main(int argc, char **) {
  int n = argc;
  float *x, *y;
  cudaMalloc((void **)&x, n * sizeof(float));
  cudaMalloc((void **)&y, n * sizeof(float));
  saxpy_ok<<<64, 256>>>(n, 2.0f, x, y);
  saxpy_bad<<<64, 256>>>(n, 2.0f, x, y);
  return 0;
}
