// Forces between all pairs of bodies, tile by tile: positions of a tile in shared memory, structures of four floats. The
// second barrier keeps the next load from overtaking slow readers; without it the load meets their reads.
//@ verdict forces_ok: race-free
//@ verdict forces_bad: racy
__device__ float pull(float4 a, float4 b) {
  float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  return b.w / (dx * dx + dy * dy + dz * dz + 0.01f);
}

__global__ void forces_ok(const float4 *bodies, float *force, int n) { // expect-clean
  __shared__ float4 tile[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  float4 own = bodies[i < n ? i : 0];
  float sum = 0;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x < n ? first + threadIdx.x : 0];
    __syncthreads();
    for (int k = 0; k < 128; k++)
      sum += pull(own, tile[k]);
    __syncthreads();
  }
  if (i < n)
    force[i] = sum;
}

__global__ void forces_bad(const float4 *bodies, float *force, int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  float4 own = bodies[i < n ? i : 0];
  float sum = 0;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x < n ? first + threadIdx.x : 0]; // expect-race
    __syncthreads();
    for (int k = 0; k < 128; k++)
      sum += pull(own, tile[k]); // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  }
  if (i < n)
    force[i] = sum;
}

int main(int argc, char **) {
  int n = argc;
  float4 *bodies;
  float *force;
  cudaMalloc((void **)&bodies, n * sizeof(float4));
  cudaMalloc((void **)&force, n * sizeof(float));
  forces_ok<<<(n + 127) / 128, 128>>>(bodies, force, n);
  forces_bad<<<(n + 127) / 128, 128>>>(bodies, force, n);
  return 0;
}
