// A mode that is the same for all threads picks the work. In the bad kernel one arm writes a place common to all.
//@ verdict work_ok: race-free
//@ verdict work_bad: racy
__global__ void work_ok(float *out, int n, int mode) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  switch (mode) {
  case 0: out[i] = i; break;
  case 1: out[n - 1 - i] = i; break;
  case 7: out[i] *= 2; break;
  default: out[2 * i] = 1; break;
  }
}

__global__ void work_bad(float *out, int n, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  switch (mode) {
  case 0: out[i] = i; break;
  case 1: out[n - 1] = i; break; // expect-race
  case 7: out[i] *= 2; break;
  default: out[2 * i] = 1; break;
  }
}

int main(int argc, char **argv) {
  int n = argc, mode = argv[0][0];
  float *out;
  cudaMalloc((void **)&out, 2 * n * sizeof(float));
  work_ok<<<(n + 127) / 128, 128>>>(out, n, mode);
  work_bad<<<(n + 127) / 128, 128>>>(out, n, mode);
  return 0;
}
