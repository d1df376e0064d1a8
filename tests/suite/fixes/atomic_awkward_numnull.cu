// Atomic. scikit-hep/awkward #2225: a kernel counts the missing values of an array by reading a word, adding one and writing it back, in
// each thread that finds one.
// Any two threads may find one [count]. Fixed: atomicAdd.
//@ pairs: exact
//@ verdict numnull: racy
//@ verdict numnull_fixed: race-free
#include <cstdint>
#include <cstdlib>

template <typename T, typename C> __global__ void numnull(T *count, const C *mask, int64_t length, bool valid_when) {
  int64_t id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < length && (mask[id] != 0) != valid_when)
    *count = *count + 1; // expect-race[count](every)
}

template <typename T, typename C> __global__ void numnull_fixed(T *count, const C *mask, int64_t length, bool valid_when) { // expect-clean
  int64_t id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < length && (mask[id] != 0) != valid_when)
    atomicAdd((unsigned long long *)count, 1ull);
}

int main(int argc, char **argv) {
  int64_t length = atoll(argv[1]), *count;
  int8_t *mask;
  cudaMalloc(&mask, length);
  cudaMalloc(&count, sizeof *count);
  dim3 threads(length > 1024 ? 1024 : length), blocks((length + threads.x - 1) / threads.x);
  cudaMemset(count, 0, sizeof *count);
  numnull<int64_t, int8_t><<<blocks, threads>>>(count, mask, length, true);
  cudaMemset(count, 0, sizeof *count);
  numnull_fixed<int64_t, int8_t><<<blocks, threads>>>(count, mask, length, true);
}
