// The next tile is loaded into one buffer while the other is read; one barrier in each round is enough, because a thread
// that is one round ahead fills the buffer nobody reads (ok). With one buffer it is not (bad).
//@ verdict stream_ok: race-free
//@ verdict stream_bad: racy
__global__ void stream_ok(const float *in, float *out, int rounds) { // expect-clean
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float acc = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    s[(r + 1) % 2][t] = in[(r + 1) * 64 + t];
    acc += s[r % 2][63 - t];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = acc;
}

__global__ void stream_bad(const float *in, float *out, int rounds) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float acc = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    s[r % 2][t] = in[(r + 1) * 64 + t]; // expect-race {{-Wintra-block-race}}
    acc += s[r % 2][63 - t];            // expect-race {{-Wintra-block-race}}
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = acc;
}

int main(int argc, char **) {
  float *in, *out;
  cudaMalloc((void **)&in, 1 << 20);
  cudaMalloc((void **)&out, 8 * 64 * sizeof(float));
  stream_ok<<<8, 64>>>(in, out, argc);
  stream_bad<<<8, 64>>>(in, out, argc);
  return 0;
}
