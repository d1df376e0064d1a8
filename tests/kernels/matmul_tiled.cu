// Product of square matrices by tiles in shared memory. The second barrier of the loop keeps a fast thread from loading the
// next tile while another still multiplies; without it the loads of a round meet the reads of the round before.
//@ verdict matmul_ok: race-free
//@ verdict matmul_bad: racy
const int tile = 16;

__global__ void matmul_ok(const float *a, const float *b, float *c, int n) { // expect-clean
  __shared__ float s[tile][tile], t[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
  float sum = 0;
  for (int m = 0; m < (n + tile - 1) / tile; m++) {
    s[y][x] = row < n && m * tile + x < n ? a[row * n + m * tile + x] : 0;
    t[y][x] = col < n && m * tile + y < n ? b[(m * tile + y) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < tile; k++)
      sum += s[y][k] * t[k][x];
    __syncthreads();
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}

__global__ void matmul_bad(const float *a, const float *b, float *c, int n) {
  __shared__ float s[tile][tile], t[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
  float sum = 0;
  for (int m = 0; m < (n + tile - 1) / tile; m++) {
    s[y][x] = row < n && m * tile + x < n ? a[row * n + m * tile + x] : 0;       // expect-race {{-Wintra-warp-race}}
    t[y][x] = col < n && m * tile + y < n ? b[(m * tile + y) * n + col] : 0;     // expect-race
    __syncthreads();
    for (int k = 0; k < tile; k++)
      sum += s[y][k] * t[k][x]; // expect-race {{-Wintra-warp-race}} expect-race {{-Wintra-block-race}}
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}

int main(int argc, char **) {
  int n = argc;
  float *a, *b, *c;
  cudaMalloc((void **)&a, n * n * sizeof(float));
  cudaMalloc((void **)&b, n * n * sizeof(float));
  cudaMalloc((void **)&c, n * n * sizeof(float));
  dim3 grid((n + tile - 1) / tile, (n + tile - 1) / tile), block(tile, tile);
  matmul_ok<<<grid, block>>>(a, b, c, n);
  matmul_bad<<<grid, block>>>(a, b, c, n);
  return 0;
}
