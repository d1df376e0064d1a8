// Two tiles that one block of 64 threads works through in steps, with a barrier behind each step (ok) or one behind all (bad).
// factor (LU): thread t has row t. In step k it reads row k, which thread k wrote in steps before and does not write any more: the pivot
// [pivot] and the rest [row], both from the line that subtracts; the dividing line writes columns that nobody else reads.
// align (Needleman and Wunsch): thread t has column t + 1 and goes down it, in step m it is at row m - t + 1. Its left neighbours were
// written by thread t - 1 in steps before [left], [corner]; the one above by itself.
// Rows and columns of 31 and 32 belong to two warps.
//@ pairs: exact
//@ verdict factor_ok: race-free
//@ verdict factor_bad: racy
//@ verdict align_ok: race-free
//@ verdict align_bad: racy

__global__ void factor_ok(float *m, int n, int first) { // expect-clean
  __shared__ float s[64][64];
  int t = threadIdx.x;
  for (int i = 0; i < 64; i++)
    s[i][t] = m[(first + i) * n + first + t];
  __syncthreads();
  for (int k = 0; k < 63; k++) {
    if (t > k) {
      s[t][k] /= s[k][k];
      for (int j = k + 1; j < 64; j++)
        s[t][j] -= s[t][k] * s[k][j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 64; i++)
    m[(first + i) * n + first + t] = s[i][t];
}

__global__ void factor_bad(float *m, int n, int first) {
  __shared__ float s[64][64];
  int t = threadIdx.x;
  for (int i = 0; i < 64; i++)
    s[i][t] = m[(first + i) * n + first + t];
  __syncthreads();
  for (int k = 0; k < 63; k++) {
    if (t > k) {
      s[t][k] /= s[k][k]; // expect-race[pivot](intra-block,intra-warp)
      for (int j = k + 1; j < 64; j++)
        s[t][j] -= s[t][k] * s[k][j]; // expect-race[pivot](intra-block,intra-warp) expect-race[row](intra-block,intra-warp)
    }
  }
  __syncthreads();
  for (int i = 0; i < 64; i++)
    m[(first + i) * n + first + t] = s[i][t];
}

__global__ void align_ok(const int *score, int *items, int cols, int penalty) { // expect-clean
  __shared__ int s[65][65];
  int t = threadIdx.x;
  if (t == 0)
    s[0][0] = items[0];
  s[t + 1][0] = items[(t + 1) * cols];
  s[0][t + 1] = items[t + 1];
  __syncthreads();
  for (int m = 0; m < 64; m++) {
    if (t <= m) {
      int x = t + 1, y = m - t + 1;
      int best = s[y - 1][x - 1] + score[y * cols + x];
      best = max(best, s[y][x - 1] - penalty);
      best = max(best, s[y - 1][x] - penalty);
      s[y][x] = best;
    }
    __syncthreads();
  }
  for (int y = 1; y <= 64; y++)
    items[y * cols + t + 1] = s[y][t + 1];
}

__global__ void align_bad(const int *score, int *items, int cols, int penalty) {
  __shared__ int s[65][65];
  int t = threadIdx.x;
  if (t == 0)
    s[0][0] = items[0];
  s[t + 1][0] = items[(t + 1) * cols];
  s[0][t + 1] = items[t + 1];
  __syncthreads();
  for (int m = 0; m < 64; m++) {
    if (t <= m) {
      int x = t + 1, y = m - t + 1;
      int best = s[y - 1][x - 1] + score[y * cols + x]; // expect-race[corner](intra-block,intra-warp)
      best = max(best, s[y][x - 1] - penalty); // expect-race[left](intra-block,intra-warp)
      best = max(best, s[y - 1][x] - penalty);
      s[y][x] = best; // expect-race[corner](intra-block,intra-warp) expect-race[left](intra-block,intra-warp)
    }
  }
  __syncthreads();
  for (int y = 1; y <= 64; y++)
    items[y * cols + t + 1] = s[y][t + 1];
}

int main(int argc, char **) {
  int n = argc * 64;
  float *m;
  int *score, *items;
  cudaMalloc((void **)&m, n * n * sizeof(float));
  cudaMalloc((void **)&score, 65 * 65 * sizeof(int));
  cudaMalloc((void **)&items, 65 * 65 * sizeof(int));
  for (int first = 0; first < n; first += 64) {
    factor_ok<<<1, 64>>>(m, n, first);
    factor_bad<<<1, 64>>>(m, n, first);
  }
  align_ok<<<1, 64>>>(score, items, 65, argc);
  align_bad<<<1, 64>>>(score, items, 65, argc);
  return 0;
}
