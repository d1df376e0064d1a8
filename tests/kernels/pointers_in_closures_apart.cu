// Arrays of their own in a vector that a thread's closure has copied: which of them it hands on is not followed, but none is a part of another one
// (assumption A2). With parts of one array: listed_bad in pointers_in_closures.cu.
//@ verdict listed_ok: race-free
//@ leans listed_ok: A2
#include <cuda_runtime.h>
#include <thread>
#include <vector>

__global__ void listed_ok(int *to, const int *from) { // expect-clean
  if (threadIdx.x < 99) to[threadIdx.x] = from[threadIdx.x + 1];
}

int main() {
  std::vector<int *> arrays(3);
  for (int i = 0; i < 3; i++)
    cudaMalloc(&arrays[i], 4096);
  std::thread([=] { listed_ok<<<1, 128>>>(arrays[0], arrays[1]); }).join();
  cudaDeviceSynchronize();
}
