// Hillis and Steele in one array: read, barrier, write, barrier. Without the first barrier a thread overwrites what its
// right neighbours still have to read.
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
__global__ void scan_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d <<= 1) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = s[t];
}

__global__ void scan_bad(const int *in, int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d <<= 1) {
    int v = t >= d ? s[t - d] : 0; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
    s[t] += v;                     // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = s[t];
}

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 64 * 128 * sizeof(int));
  cudaMalloc((void **)&out, 64 * 128 * sizeof(int));
  scan_ok<<<64, 128>>>(in, out);
  scan_bad<<<64, 128>>>(in, out);
  return 0;
}
