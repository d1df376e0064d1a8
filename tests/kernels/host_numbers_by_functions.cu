// Numbers that the host computes from a number n that it is given (1 to 1000), by functions of bits and through floating point. Ten blocks write rows of n elements,
// the number apart. What is an integer expression is followed: such rows do not meet, or they do for numbers that a run can have (definite). What is not followed is
// no choice of a witness: a race that needs it is possible, whether or not there is one; one that any number shows is definite.
//   power: the next power of two, by the zeros above. place: by the zeros below. bits: by the bits that are set. trip: through a float and back. most: the larger by
//   fmax. product, sum: of integers in doubles. wide: past 2^24 a float is another number. tenth, logarithm, root: not followed; any: whatever it is; checked: the number
//   is tested before the launch, as far as it must be or less.
//@ verdict power: race-free
//@ verdict power_less: racy
//@ verdict place: race-free
//@ verdict place_less: racy
//@ verdict bits: race-free
//@ verdict bits_less: racy
//@ verdict trip: race-free
//@ verdict trip_less: racy
//@ verdict trip_wide: racy
//@ verdict most: race-free
//@ verdict least: racy
//@ verdict product: race-free
//@ verdict difference: racy
//@ verdict tenth: racy
//@ verdict tenth_less: racy
//@ verdict logarithm: racy
//@ verdict root: racy
//@ verdict root_any: racy
//@ verdict root_checked: race-free
//@ verdict root_unchecked: racy
#include <cmath>
#include <cstdlib>

__global__ void power(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }          // expect-clean
__global__ void power_less(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }     // expect-race[inter-block, definite]
__global__ void place(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }          // expect-clean
__global__ void place_less(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }     // expect-race[inter-block, definite]
__global__ void bits(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }           // expect-clean
__global__ void bits_less(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }      // expect-race[inter-block, definite]
__global__ void trip(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }           // expect-clean
__global__ void trip_less(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }      // expect-race[inter-block, definite]
__global__ void trip_wide(int *a, int w, int stride) { if (threadIdx.x == 0) a[blockIdx.x * (stride - w + 1)] = blockIdx.x; }         // expect-race[inter-block, possible]
__global__ void most(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }           // expect-clean
__global__ void least(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }          // expect-race[inter-block, definite]
__global__ void product(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }        // expect-clean
__global__ void difference(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }     // expect-race[inter-block, definite]
__global__ void tenth(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }          // expect-race[inter-block, possible]
__global__ void tenth_less(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }     // expect-race[inter-block, possible]
__global__ void logarithm(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }      // expect-race[inter-block, possible]
__global__ void root(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }           // expect-race[inter-block, possible]
__global__ void root_any(int *a, int w, int stride) { if (threadIdx.x < w) a[stride] = blockIdx.x; }                                 // expect-race[inter-block, definite]
__global__ void root_checked(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; }   // expect-clean
__global__ void root_unchecked(int *a, int w, int stride) { if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; } // expect-race[inter-block, possible]

int main(int argc, char **argv) {
  int *a, n = atoi(argv[1]), big = atoi(argv[2]);
  if (n < 1 || n > 1000) return 1;
  cudaMalloc(&a, 4u << 20);
  power<<<10, n>>>(a, n, n < 2 ? n : 1 << (32 - __builtin_clz(n - 1)));
  power_less<<<10, n>>>(a, n, n < 2 ? n : 1 << (31 - __builtin_clz(n - 1)));
  place<<<10, n>>>(a, n, n + __builtin_ctz(n));
  place_less<<<10, n>>>(a, n, n - __builtin_ctz(n));
  bits<<<10, n>>>(a, n, n * __builtin_popcount(n));
  bits_less<<<10, n>>>(a, n, 32 * __builtin_popcount(n));
  trip<<<10, n>>>(a, n, (int)(float)n);
  trip_less<<<10, n>>>(a, n, (int)((float)n - 1));
  trip_wide<<<10, 32>>>(a, big, (int)(float)big);
  most<<<10, n>>>(a, n, (int)fmax(n, 5));
  least<<<10, n>>>(a, n, (int)fmin(n, 5));
  product<<<10, n>>>(a, n, (int)(2.0 * n));
  difference<<<10, n>>>(a, n, (int)ceil(2.0 * n - 8));
  tenth<<<10, n>>>(a, n, (int)(n * 1.1));
  tenth_less<<<10, n>>>(a, n, (int)(n * 0.9));
  logarithm<<<10, n>>>(a, n, 1 << (int)ceil(log2((double)n)));
  int side = (int)sqrtf((float)n * n);
  root<<<10, n>>>(a, n, side);
  root_any<<<10, n>>>(a, n, side);
  if (side >= n) root_checked<<<10, n>>>(a, n, side);
  if (side >= n - 1) root_unchecked<<<10, n>>>(a, n, side);
  return cudaDeviceSynchronize();
}
