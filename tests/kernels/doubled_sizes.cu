// Sizes that are doubled by `<<=` up to a constant: the word does not run empty before the loop is left, so each size has
// its halves, and none of the loops within is passed by.
// sort_ok: the network of pairs 2 t - (t & (stride - 1)), several of them for a thread. no_wait: the barrier of each step is
// gone. mask: the pair is computed with the stride for the stride less 1, so two threads share an element.
// sums: over ever longer stretches, where the test reads the size as unsigned (ok); the second barrier is gone (bad).
//@ verdict sort_ok: race-free
//@ verdict sort_no_wait: racy
//@ verdict sort_mask: racy
//@ verdict sums_ok: race-free
//@ verdict sums_bad: racy
#define SORT(WAIT, MASK)                                                                                               \
  __shared__ float s[64];                                                                                              \
    for (int i = threadIdx.x; i < 64; i += blockDim.x)                                                                 \
      s[i] = rows[blockIdx.x * 64 + i];                                                                                \
    __syncthreads();                                                                                                   \
    for (int size = 2; size <= 64; size <<= 1)                                                                         \
      for (int stride = size >> 1; stride > 0; stride >>= 1) {                                                         \
        for (int t = threadIdx.x; t < 32; t += blockDim.x) {                                                           \
          int pos = 2 * t - (t & (MASK));                                                                              \
          float a = s[pos], b = s[pos + stride];                                                                       \
          if ((a < b) == ((pos & size) == 0)) {                                                                        \
            s[pos] = b;                                                                                                \
            s[pos + stride] = a;                                                                                       \
          }                                                                                                            \
        }                                                                                                              \
        WAIT;                                                                                                          \
      }                                                                                                                \
    __syncthreads();                                                                                                   \
    for (int i = threadIdx.x; i < 64; i += blockDim.x)                                                                 \
      rows[blockIdx.x * 64 + i] = s[i];

__global__ void sort_ok(float *rows) { // expect-clean
  SORT(__syncthreads(), stride - 1)
}
__global__ void sort_no_wait(float *rows) {
  SORT(, stride - 1) // expect-race
}
__global__ void sort_mask(float *rows) {
  SORT(__syncthreads(), stride) // expect-race
}

#define SUMS(WAIT)                                                                                                     \
    __shared__ int s[256];                                                                                             \
    s[threadIdx.x] = threadIdx.x;                                                                                      \
    __syncthreads();                                                                                                   \
    for (unsigned d = 1; d < 256u; d <<= 1) {                                                                          \
      int more = threadIdx.x >= d ? s[threadIdx.x - d] : 0;                                                            \
      WAIT;                                                                                                            \
      s[threadIdx.x] += more;                                                                                          \
      __syncthreads();                                                                                                 \
    }                                                                                                                  \
    out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];

__global__ void sums_ok(int *out) { // expect-clean
  SUMS(__syncthreads())
}
__global__ void sums_bad(int *out) {
  SUMS() // expect-race
}

int main() {
  float *rows;
  int *out;
  cudaMalloc(&rows, 100 * 64 * sizeof(float));
  cudaMalloc(&out, 100 * 256 * sizeof(int));
  sort_ok<<<100, 16>>>(rows);
  sort_no_wait<<<100, 16>>>(rows);
  sort_mask<<<100, 16>>>(rows);
  sums_ok<<<100, 256>>>(out);
  sums_bad<<<100, 256>>>(out);
  return cudaDeviceSynchronize();
}
