// The storage of a block-wide scan is free behind a barrier: until then another thread may still read in it, whichever way the library sums.
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
#include <cub/cub.cuh>
template <bool WAITS> __device__ void twice(const int *in, int *out) {
  typedef cub::BlockScan<int, 128> Scan;
  __shared__ typename Scan::TempStorage temp;
  int t = threadIdx.x, a, b;
  Scan(temp).ExclusiveSum(in[t], a); // expect-race[twice]
  if (WAITS) __syncthreads();
  Scan(temp).ExclusiveSum(a, b); // expect-race[twice]
  out[t] = b;
}
__global__ void twice_ok(const int *in, int *out) { twice<true>(in, out); } // expect-clean
__global__ void twice_bad(const int *in, int *out) { twice<false>(in, out); }

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  twice_ok<<<1, 128>>>(in, out);
  twice_bad<<<1, 128>>>(in, out);
}
