// All dynamic shared arrays of a kernel begin at the same address: `sums` and `counts` are one memory, so a thread reads
// what its neighbour writes; with a barrier between it is at least ordered (ok as far as races go).
// carve: the launch gives 2 * n elements, n is the block size, so [0, n) and [n, 2n) do not meet (ok); the second half
// moved down by one element meets the first (bad).
//@ verdict names_ok: race-free
//@ verdict names_bad: racy
//@ verdict carve_ok: race-free
//@ verdict carve_bad: racy
extern __shared__ float sums[];
extern __shared__ int counts[];

__global__ void names_ok(int *out) { // expect-clean
  int t = threadIdx.x;
  sums[t] = 1.0f;
  __syncthreads();
  out[blockIdx.x * 32 + t] = counts[(t + 1) % 32];
}

__global__ void names_bad(int *out) {
  int t = threadIdx.x;
  sums[t] = 1.0f;                                  // expect-race {{-Wintra-warp-race}}
  out[blockIdx.x * 32 + t] = counts[(t + 1) % 32]; // expect-race {{-Wintra-warp-race}}
}

__global__ void carve_ok(float *out, int n) { // expect-clean
  float *a = sums, *b = sums + n;
  int t = threadIdx.x;
  a[t] = t;
  b[t] = 2 * t;
  out[blockIdx.x * n + t] = a[t] + b[t];
}

__global__ void carve_bad(float *out, int n) {
  float *a = sums, *b = sums + n - 1;
  int t = threadIdx.x;
  a[t] = t;                              // expect-race
  b[t] = 2 * t;                          // expect-race
  out[blockIdx.x * n + t] = a[t] + b[t]; // expect-race
}

int main(int argc, char **) {
  int n = argc;
  int *out;
  float *values;
  cudaMalloc((void **)&out, 4 * 32 * sizeof(int));
  cudaMalloc((void **)&values, 4 * n * sizeof(float));
  names_ok<<<4, 32, 32 * sizeof(float)>>>(out);
  names_bad<<<4, 32, 32 * sizeof(float)>>>(out);
  carve_ok<<<4, n, 2 * n * sizeof(float)>>>(values, n);
  carve_bad<<<4, n, 2 * n * sizeof(float)>>>(values, n);
  return 0;
}
