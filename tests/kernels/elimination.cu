// One step of an elimination below the diagonal for each launch; the host loop gives the step k. Columns right of k are
// changed, column k is read (ok). With column k among the changed ones, its reads by others meet its change (bad).
//@ verdict step_ok: race-free
//@ verdict step_bad: racy
__global__ void step_ok(float *a, int n, int k) { // expect-clean
  int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
  if (i < n && j < n)
    a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
}

__global__ void step_bad(float *a, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + k;
  int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
  if (i < n && j < n)
    a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j]; // expect-race
}

int main(int argc, char **) {
  int n = argc;
  float *a;
  cudaMalloc((void **)&a, n * n * sizeof(float));
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
  for (int k = 0; k < n - 1; k++) {
    step_ok<<<grid, block>>>(a, n, k);
    step_bad<<<grid, block>>>(a, n, k);
  }
  return 0;
}
