// Three kernels, one after the other, on the same arrays: launches of one stream do not overlap, so what the first one
// writes and the second one reads at other places is ordered. All in one kernel it is not.
//@ verdict first_ok: race-free
//@ verdict second_ok: race-free
//@ verdict both_bad: racy
__global__ void first_ok(float *a, const float *in, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 2 * in[i];
}

__global__ void second_ok(const float *a, float *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[n - 1 - i];
}

__global__ void both_bad(float *a, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = 2 * in[i];      // expect-race
    out[i] = a[n - 1 - i]; // expect-race
  }
}

int main(int argc, char **) {
  int n = argc, blocks = (n + 127) / 128;
  float *in, *a, *out;
  cudaMalloc((void **)&in, n * sizeof(float));
  cudaMalloc((void **)&a, n * sizeof(float));
  cudaMalloc((void **)&out, n * sizeof(float));
  first_ok<<<blocks, 128>>>(a, in, n);
  second_ok<<<blocks, 128>>>(a, out, n);
  both_bad<<<blocks, 128>>>(a, in, out, n);
  return 0;
}
