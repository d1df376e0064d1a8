// Sums of prefixes (Hillis and Steele) with two buffers: each round reads one and writes the other, so one barrier for each
// round is enough: who is in the next round writes a buffer that all have finished reading. Without it (bad) a thread reads
// from its left neighbour's element what that one has not written yet [rw]; d = 1 gives lanes of one warp, and 31 and 32 two
// warps. Each thread writes its own element only, and reads it where it reads no other: all else is in order.
//@ pairs: exact
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
__global__ void scan_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[2][128];
  int t = threadIdx.x, now = 0;
  s[0][t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int v = s[now][t];
    if (t >= d)
      v += s[now][t - d];
    s[1 - now][t] = v;
    __syncthreads();
    now = 1 - now;
  }
  out[blockIdx.x * 128 + t] = s[now][t];
}

__global__ void scan_bad(const int *in, int *out) {
  __shared__ int s[2][128];
  int t = threadIdx.x, now = 0;
  s[0][t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int v = s[now][t];
    if (t >= d)
      v += s[now][t - d]; // expect-race[rw](intra-block,intra-warp)
    s[1 - now][t] = v;    // expect-race[rw](intra-block,intra-warp)
    now = 1 - now;
  }
  out[blockIdx.x * 128 + t] = s[now][t];
}

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 64 * 128 * sizeof(int));
  cudaMalloc((void **)&out, 64 * 128 * sizeof(int));
  scan_ok<<<64, 128>>>(in, out);
  scan_bad<<<64, 128>>>(in, out);
  return 0;
}
