// Calls that are not replaced by the body of the function: it calls itself, or with all that it calls it is too large. The kernel is undecided.
//@ verdict itself: undecided
//@ verdict large: undecided
#include <cuda_runtime.h>

#define NINE(call) call(0) call(1) call(2) call(3) call(4) call(5) call(6) call(7) call(8)
#define FIRST(i) a[k + i * 9] += k * i;
__device__ void once(int *a, int k) { NINE(FIRST) NINE(FIRST) }
#define ONCE(i) once(a, k + i);
__device__ void twice(int *a, int k) { NINE(ONCE) }
#define TWICE(i) twice(a, k + i);
__device__ void thrice(int *a, int k) { NINE(TWICE) }
#define THRICE(i) thrice(a, k + i);
__device__ void often(int *a, int k) { NINE(THRICE) }
#define OFTEN(i) often(a, k + i);
__device__ void too_often(int *a, int k) { NINE(OFTEN) }
__global__ void large(int *a) { too_often(a, threadIdx.x); }

__device__ int depth(int *a, int k) {
  a[k] = k;
  return k <= 0 ? 0 : depth(a, k - 2) + 1;
}
__global__ void itself(int *a) { a[0] = depth(a, threadIdx.x); }

void run(int *a) {
  large<<<1, 32>>>(a);
  itself<<<1, 32>>>(a);
}
