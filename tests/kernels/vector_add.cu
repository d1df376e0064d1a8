// One element for each thread. Without the offset of the block all blocks write the same elements.
//@ verdict add_ok: race-free
//@ verdict add_bad: racy
__global__ void add_ok(const float *a, const float *b, float *c, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void add_bad(const float *a, const float *b, float *c, int n) {
  int i = threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i] + blockIdx.x; // expect-race {{-Winter-block-race}}
}

int main(int argc, char **) {
  int n = argc;
  float *a, *b, *c;
  cudaMalloc((void **)&a, n * sizeof(float));
  cudaMalloc((void **)&b, n * sizeof(float));
  cudaMalloc((void **)&c, n * sizeof(float));
  add_ok<<<(n + 255) / 256, 256>>>(a, b, c, n);
  add_bad<<<(n + 255) / 256, 256>>>(a, b, c, n);
  return 0;
}
