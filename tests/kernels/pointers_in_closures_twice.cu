// What a closure holds that a thread of the host runs is not followed to its launch. Each kernel shifts 100 words by one place.
// Two variables that hold one pointer, as they are, and by reference; a part of the array behind which nothing is common (far).
// With two arrays: pointers_in_closures.cu.
//@ verdict copied_bad: racy
//@ verdict referred_bad: racy
//@ verdict far_ok: race-free
#include <cuda_runtime.h>
#include <thread>

__device__ void shift(int *to, const int *from) {
  if (threadIdx.x < 99) to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[shift] {{possible}}
}
__global__ void copied_bad(int *to, const int *from) { shift(to, from); }
__global__ void referred_bad(int *to, const int *from) { shift(to, from); }
__global__ void far_ok(int *to, const int *from) { shift(to, from); } // expect-clean

int main() {
  int *a;
  cudaMalloc(&a, 4096);
  int *to = a, *from = a, *behind = a + 100;
  std::thread([=] { copied_bad<<<1, 128>>>(to, from); }).join();
  std::thread([&] { referred_bad<<<1, 128>>>(to, from); }).join();
  std::thread([=] { far_ok<<<1, 128>>>(to, behind); }).join();
  cudaDeviceSynchronize();
}
