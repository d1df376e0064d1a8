// The lower triangle of a matrix without gaps: row i begins at i * (i + 1) / 2 and has i + 1 elements. One column more is
// the first element of the next row.
//@ verdict fill_ok: race-free
//@ verdict fill_bad: racy
__global__ void fill_ok(float *a, int n) { // expect-clean
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j <= i)
    a[i * (i + 1) / 2 + j] = i - j;
}

__global__ void fill_bad(float *a, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j <= i + 1)
    a[i * (i + 1) / 2 + j] = i - j; // expect-race
}

int main(int argc, char **) {
  int n = argc;
  float *a;
  cudaMalloc((void **)&a, n * (n + 1) / 2 * sizeof(float));
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
  fill_ok<<<grid, block>>>(a, n);
  fill_bad<<<grid, block>>>(a, n);
  return 0;
}
