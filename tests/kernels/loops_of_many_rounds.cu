// Rounds of loops are counted in 31 bits: one that goes round more often, which takes seconds on a GPU, is not told from the others.
//@ verdict few_ok: race-free
//@ verdict many_bad: racy
//@ known-miss many_bad: a loop is taken to go round fewer than 2^31 times
__device__ void each(int *out, long long n) {
  if (threadIdx.x == 0)
    for (long long i = 0; i < n; i++)
      out[i >> 32] = threadIdx.x;
  if (threadIdx.x == 1) out[2] = 4;
}
__global__ void few_ok(int *out) { each(out, 1ll << 30); } // expect-clean
__global__ void many_bad(int *out) { each(out, 1ll << 34); }
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  few_ok<<<1, 32>>>(out);
  many_bad<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
