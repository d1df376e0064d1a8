// What a closure holds that a thread of the host runs is not followed to its launch. Each kernel shifts 100 words by one place.
// Two variables with a pointer each, as they are, and by reference. With one pointer in both: pointers_in_closures_twice.cu.
// listed: out of a vector of parts of one array, which overlap, that the closure has copied.
//@ verdict copied_ok: race-free
//@ verdict referred_ok: race-free
//@ verdict listed_bad: racy
#include <cuda_runtime.h>
#include <thread>
#include <vector>

__device__ void shift(int *to, const int *from) {
  if (threadIdx.x < 99) to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race {{possible}}
}
__global__ void copied_ok(int *to, const int *from) { shift(to, from); } // expect-clean
__global__ void referred_ok(int *to, const int *from) { shift(to, from); } // expect-clean

__global__ void listed_bad(int *to, const int *from) { shift(to, from); }

int main() {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  int *to = a, *from = b;
  std::thread([=] { copied_ok<<<1, 128>>>(to, from); }).join();
  std::thread([&] { referred_ok<<<1, 128>>>(to, from); }).join();
  std::vector<int *> parts(3);
  for (int i = 0; i < 3; i++) parts[i] = a + i * 10;
  std::thread([=] { listed_bad<<<1, 128>>>(parts[0], parts[1]); }).join();
  cudaDeviceSynchronize();
}
