// A scan after Hillis and Steele with two halves of one shared array: each round reads one half and writes the other (ok).
// If both names stand for one half, a thread reads what its neighbour overwrites in the same round (bad).
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
__global__ void scan_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[2 * 128];
  int t = threadIdx.x, to = 0, from = 1;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    to = 1 - to;
    from = 1 - to;
    s[to * 128 + t] = s[from * 128 + t] + (t >= d ? s[from * 128 + t - d] : 0);
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = s[to * 128 + t];
}

__global__ void scan_bad(const int *in, int *out) {
  __shared__ int s[2 * 128];
  int t = threadIdx.x, to = 0, from = 1;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    to = 1 - to;
    from = to;
    s[to * 128 + t] = s[from * 128 + t] + (t >= d ? s[from * 128 + t - d] : 0); // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = s[to * 128 + t];
}

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 16 * 128 * sizeof(int));
  cudaMalloc((void **)&out, 16 * 128 * sizeof(int));
  scan_ok<<<16, 128>>>(in, out);
  scan_bad<<<16, 128>>>(in, out);
  return 0;
}
