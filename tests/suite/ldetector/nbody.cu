// LDetector's n-body: four rows of threads share 64 bodies; behind a barrier row 0 takes the four parts together, but all rows write the
// position [ww]. The rows are 64 threads apart, so the two are in different warps of a block. Twin: only row 0 writes.
//@ pairs: exact
//@ verdict nbody: racy
//@ verdict nbody_fixed: race-free
__global__ void nbody(const float *old, float *next, int n) {
  __shared__ float part[4][64];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 64 + x;
  float force = 0;
  for (int j = y; j < n; j += 4)
    force += old[j] - old[i];
  part[y][x] = force;
  __syncthreads();
  if (y == 0)
    for (int k = 1; k < 4; k++)
      force += part[k][x];
  next[i] = old[i] + force; // expect-race[ww](intra-block)
}

__global__ void nbody_fixed(const float *old, float *next, int n) { // expect-clean
  __shared__ float part[4][64];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 64 + x;
  float force = 0;
  for (int j = y; j < n; j += 4)
    force += old[j] - old[i];
  part[y][x] = force;
  __syncthreads();
  if (y == 0) {
    for (int k = 1; k < 4; k++)
      force += part[k][x];
    next[i] = old[i] + force;
  }
}

int main(int argc, char **) {
  int n = 64 * argc;
  float *a, *b;
  cudaMalloc((void **)&a, n * sizeof(float));
  cudaMalloc((void **)&b, n * sizeof(float));
  nbody<<<argc, dim3(64, 4)>>>(a, b, n);
  nbody_fixed<<<argc, dim3(64, 4)>>>(a, b, n);
  return 0;
}
