// cvt in inline assembly: its first type is that of the result, which the register is filled up from by that type's sign.
//@ verdict unsigned_ok: race-free
//@ verdict unsigned_bad: racy
//@ verdict signed_ok: race-free
//@ verdict signed_bad: racy
#include <cuda_runtime.h>

// A byte without a sign is no more than 255, and may be more than 127.
__global__ void unsigned_ok(int *a, int n) { // expect-clean
  int r;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(n));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == 300)) a[0] = threadIdx.x;
}
__global__ void unsigned_bad(int *a, int n) {
  int r;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(n));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == 200)) a[0] = threadIdx.x; // expect-race
}

// One with a sign is at most 127, and may be negative.
__global__ void signed_ok(int *a, float x) { // expect-clean
  int r;
  asm("cvt.rni.s8.f32 %0, %1;" : "=r"(r) : "f"(x));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == 200)) a[0] = threadIdx.x;
}
__global__ void signed_bad(int *a, float x) {
  int r;
  asm("cvt.rni.s8.f32 %0, %1;" : "=r"(r) : "f"(x));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == -3)) a[0] = threadIdx.x; // expect-race
}

int main(int argc, char **) {
  int *a;
  cudaMalloc(&a, 400);
  unsigned_ok<<<1, 32>>>(a, argc);
  unsigned_bad<<<1, 32>>>(a, argc);
  signed_ok<<<1, 32>>>(a, (float)argc);
  signed_bad<<<1, 32>>>(a, (float)argc);
  return (int)cudaDeviceSynchronize();
}
