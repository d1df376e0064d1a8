// Each thread counts in bytes of its own: column p of a table with 64 columns, where p is the thread number with its bits
// in another order, so that the four bytes of a word belong to threads far apart. All rows are reached by any value.
// Where a bit of the number is lost, two threads share a column.
//@ verdict count_ok: race-free
//@ verdict count_bad: racy
__global__ void count_ok(const unsigned *data, unsigned n) { // expect-clean
  __shared__ unsigned char counters[64 * 16];
  unsigned column = (threadIdx.x & ~63u) | ((threadIdx.x & 15u) << 2) | ((threadIdx.x & 48u) >> 4);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned value = data[i];
    counters[column + ((value >> 2) & 15u) * 64]++;
    counters[column + ((value >> 10) & 15u) * 64]++;
  }
}

__global__ void count_bad(const unsigned *data, unsigned n) {
  __shared__ unsigned char counters[64 * 16];
  unsigned column = (threadIdx.x & ~63u) | ((threadIdx.x & 15u) << 2) | ((threadIdx.x & 32u) >> 4);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned value = data[i];
    counters[column + ((value >> 2) & 15u) * 64]++; // expect-race[same]
    counters[column + ((value >> 10) & 15u) * 64]++; // expect-race[same]
  }
}

int main() {
  unsigned *data, n = 1 << 20;
  cudaMalloc((void **)&data, n * sizeof(unsigned));
  count_ok<<<n / 15360 + 1, 64>>>(data, n);
  count_bad<<<n / 15360 + 1, 64>>>(data, n);
  return 0;
}
