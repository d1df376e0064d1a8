// A tree whose partners are neighbours first: thread 2s * k adds what lies s further on. Without the barrier a round reads
// what the round before is still adding.
// strided: the same tree with the work packed into the first threads.
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict strided_ok: race-free
//@ verdict strided_bad: racy
__global__ void sum_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void sum_bad(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0)
      s[t] += s[t + d]; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void strided_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int i = 2 * d * t;
    if (i < 256)
      s[i] += s[i + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void strided_bad(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t]; // expect-race[start]
  for (int d = 1; d < 256; d *= 2) {
    int i = 2 * d * t;
    if (i < 256)
      s[i] += s[i + d]; // expect-race[start]
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 64 * 256 * sizeof(int));
  cudaMalloc((void **)&out, 64 * sizeof(int));
  sum_ok<<<64, 256>>>(in, out);
  sum_bad<<<64, 256>>>(in, out);
  strided_ok<<<64, 256>>>(in, out);
  strided_bad<<<64, 256>>>(in, out);
  return 0;
}
