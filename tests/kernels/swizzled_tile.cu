// A tile of 32 x 32 whose columns are exchanged by row against bank conflicts: col ^ row is another order of the columns of
// a row, so no place is taken twice (ok). col & row is not (bad).
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
__global__ void tile_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[32 * 32];
  int x = threadIdx.x, y = threadIdx.y;
  s[y * 32 + (x ^ y)] = in[y * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * 32 + x] = s[x * 32 + (y ^ x)];
}

__global__ void tile_bad(const float *in, float *out) {
  __shared__ float s[32 * 32];
  int x = threadIdx.x, y = threadIdx.y;
  s[y * 32 + (x & y)] = in[y * 32 + x]; // expect-race {{-Wintra-warp-race}}
  __syncthreads();
  out[(blockIdx.x * 32 + y) * 32 + x] = s[x * 32 + (y & x)];
}

int main() {
  float *in, *out;
  cudaMalloc((void **)&in, 1024 * sizeof(float));
  cudaMalloc((void **)&out, 8 * 1024 * sizeof(float));
  tile_ok<<<8, dim3(32, 32)>>>(in, out);
  tile_bad<<<8, dim3(32, 32)>>>(in, out);
  return 0;
}
