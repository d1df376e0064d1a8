// The sums of all threads are added to one number: by an atomic operation (ok), or plainly (bad).
//@ verdict dot_ok: race-free
//@ verdict dot_bad: racy
__global__ void dot_ok(const float *a, const float *b, float *result, int n) { // expect-clean
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  atomicAdd(result, sum);
}

__global__ void dot_bad(const float *a, const float *b, float *result, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  *result += sum; // expect-race {{-Winter-block-race}} expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
}

int main(int argc, char **) {
  int n = argc;
  float *a, *b, *r;
  cudaMalloc((void **)&a, n * sizeof(float));
  cudaMalloc((void **)&b, n * sizeof(float));
  cudaMalloc((void **)&r, sizeof(float));
  cudaMemset(r, 0, sizeof(float));
  dot_ok<<<32, 128>>>(a, b, r, n);
  dot_bad<<<32, 128>>>(a, b, r, n);
  return 0;
}
