// A barrier in every few rounds only: threads may be several rounds apart. Round r writes buffer r % 4 and reads buffer
// (r + 2) % 4. With a barrier after every second round, a stretch of two rounds touches four different buffers (ok).
// With one after every third, the first round of a stretch reads what its third round writes (bad): two steps apart.
//@ verdict relay_ok: race-free
//@ verdict relay_bad: racy
__global__ void relay_ok(float *out, int rounds) { // expect-clean
  __shared__ float buf[4][64];
  int t = threadIdx.x;
  float acc = 0;
  for (int r = 0; r < rounds; r++) {
    buf[r % 4][t] = r + t;
    acc += buf[(r + 2) % 4][63 - t];
    if (r % 2 == 1)
      __syncthreads();
  }
  out[blockIdx.x * 64 + t] = acc;
}

__global__ void relay_bad(float *out, int rounds) {
  __shared__ float buf[4][64];
  int t = threadIdx.x;
  float acc = 0;
  for (int r = 0; r < rounds; r++) {
    buf[r % 4][t] = r + t;           // expect-race {{-Wintra-block-race}}
    acc += buf[(r + 2) % 4][63 - t]; // expect-race {{-Wintra-block-race}}
    if (r % 3 == 2)
      __syncthreads();
  }
  out[blockIdx.x * 64 + t] = acc;
}

int main(int argc, char **) {
  float *out;
  cudaMalloc((void **)&out, 4 * 64 * sizeof(float));
  relay_ok<<<4, 64>>>(out, argc);
  relay_bad<<<4, 64>>>(out, argc);
  return 0;
}
