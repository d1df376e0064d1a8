// A tree whose partners are neighbours first: thread 2s * k adds what lies s further on. Without the barrier a round reads
// what the round before is still adding.
// strided: the same tree with the work packed into the first threads.
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict strided_ok: race-free
//@ verdict strided_bad: racy
// any: blocks of any size: what lies beyond the largest power of two is added first; then a tree. All threads find that power of
// their own, and the same one.
//@ verdict any_ok: race-free
//@ verdict any_bad: racy
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

__global__ void any_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[1024];
  int t = threadIdx.x;
  unsigned whole = 1;
  s[t] = in[blockIdx.x * blockDim.x + t];
  while (whole * 2 <= blockDim.x)
    whole *= 2;
  __syncthreads();
  if (t >= whole)
    s[t - whole] += s[t];
  __syncthreads();
  for (unsigned d = whole / 2; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void any_bad(const int *in, int *out) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  unsigned whole = 1;
  s[t] = in[blockIdx.x * blockDim.x + t];
  while (whole * 2 <= blockDim.x)
    whole *= 2;
  __syncthreads();
  if (t >= whole)
    s[t - whole] += s[t]; // expect-race[rest]
  for (unsigned d = whole / 2; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d]; // expect-race[rest]
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

int main(int argc, char **argv) {
  int threads = argc;
  if (threads < 1 || threads > 1024)
    return 1;
  int *in, *out;
  cudaMalloc((void **)&in, 64 * 256 * sizeof(int));
  cudaMalloc((void **)&out, 64 * sizeof(int));
  sum_ok<<<64, 256>>>(in, out);
  sum_bad<<<64, 256>>>(in, out);
  strided_ok<<<64, 256>>>(in, out);
  strided_bad<<<64, 256>>>(in, out);
  any_ok<<<64, threads>>>(in, out);
  any_bad<<<64, threads>>>(in, out);
  return 0;
}
