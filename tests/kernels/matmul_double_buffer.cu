// Product of square matrices by tiles with two buffers each: a round multiplies one pair of tiles while the next pair is fetched
// into the other, so that one barrier for each round is enough (ok).
// Barrier left out: a thread fetches into a buffer that others still read, or reads before they have fetched. Elements of s
// are read by threads of the writer's row y, which are 16 lanes of one warp [s]; elements of u by threads of its column, in its warp
// (two rows are one) and in others [u].
// Fetched into the buffer of this round: the same for s alone; the barrier keeps the rounds apart, but within a round both happen.
//@ pairs: exact
//@ verdict matmul_ok: race-free
//@ verdict matmul_barrier_bad: racy
//@ verdict matmul_buffer_bad: racy
const int tile = 16;

__global__ void matmul_ok(const float *a, const float *b, float *c, int n) { // expect-clean
  __shared__ float s[2][tile][tile], u[2][tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
  float sum = 0;
  s[0][y][x] = a[row * n + x];
  u[0][y][x] = b[y * n + col];
  __syncthreads();
  for (int m = 0; m < n / tile; m++) {
    int here = m % 2;
    if (m + 1 < n / tile) {
      s[1 - here][y][x] = a[row * n + (m + 1) * tile + x];
      u[1 - here][y][x] = b[((m + 1) * tile + y) * n + col];
    }
    for (int k = 0; k < tile; k++)
      sum += s[here][y][k] * u[here][k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void matmul_barrier_bad(const float *a, const float *b, float *c, int n) {
  __shared__ float s[2][tile][tile], u[2][tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
  float sum = 0;
  s[0][y][x] = a[row * n + x];
  u[0][y][x] = b[y * n + col];
  __syncthreads();
  for (int m = 0; m < n / tile; m++) {
    int here = m % 2;
    if (m + 1 < n / tile) {
      s[1 - here][y][x] = a[row * n + (m + 1) * tile + x]; // expect-race[s](intra-warp)
      u[1 - here][y][x] = b[((m + 1) * tile + y) * n + col]; // expect-race[u](intra-block,intra-warp)
    }
    for (int k = 0; k < tile; k++)
      sum += s[here][y][k] * u[here][k][x]; // expect-race[s](intra-warp) expect-race[u](intra-block,intra-warp)
  }
  c[row * n + col] = sum;
}

__global__ void matmul_buffer_bad(const float *a, const float *b, float *c, int n) {
  __shared__ float s[2][tile][tile], u[2][tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
  float sum = 0;
  s[0][y][x] = a[row * n + x];
  u[0][y][x] = b[y * n + col];
  __syncthreads();
  for (int m = 0; m < n / tile; m++) {
    int here = m % 2;
    if (m + 1 < n / tile) {
      s[here][y][x] = a[row * n + (m + 1) * tile + x]; // expect-race[s](intra-warp)
      u[1 - here][y][x] = b[((m + 1) * tile + y) * n + col];
    }
    for (int k = 0; k < tile; k++)
      sum += s[here][y][k] * u[here][k][x]; // expect-race[s](intra-warp)
    __syncthreads();
  }
  c[row * n + col] = sum;
}

int main(int argc, char **) {
  int n = argc * tile;
  float *a, *b, *c;
  cudaMalloc((void **)&a, n * n * sizeof(float));
  cudaMalloc((void **)&b, n * n * sizeof(float));
  cudaMalloc((void **)&c, n * n * sizeof(float));
  dim3 grid(n / tile, n / tile), block(tile, tile);
  matmul_ok<<<grid, block>>>(a, b, c, n);
  matmul_barrier_bad<<<grid, block>>>(a, b, c, n);
  matmul_buffer_bad<<<grid, block>>>(a, b, c, n);
  return 0;
}
