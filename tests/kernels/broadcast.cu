// Thread 0 loads a factor for its block; the others use it behind a barrier (ok), or whenever they get there (bad).
//@ verdict scale_ok: race-free
//@ verdict scale_bad: racy
__global__ void scale_ok(float *a, const float *factors) { // expect-clean
  __shared__ float factor;
  if (threadIdx.x == 0)
    factor = factors[blockIdx.x];
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

__global__ void scale_bad(float *a, const float *factors) {
  __shared__ float factor;
  if (threadIdx.x == 0)
    factor = factors[blockIdx.x];                     // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  a[blockIdx.x * blockDim.x + threadIdx.x] *= factor; // expect-race
}

int main() {
  float *a, *f;
  cudaMalloc((void **)&a, 16 * 64 * sizeof(float));
  cudaMalloc((void **)&f, 16 * sizeof(float));
  scale_ok<<<16, 64>>>(a, f);
  scale_bad<<<16, 64>>>(a, f);
  return 0;
}
