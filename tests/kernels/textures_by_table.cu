// Handles of textures that do not come as arguments of their own, or out of places that are not followed: each may be any texture that the program
// makes. members: handle and memory are members of one struct. loop: handles in an array that a loop fills. constant, table: the kernel finds the handle in
// a variable, in memory. The memory is what the kernel writes (bad: what it reads there CUDA leaves open), or all textures are of memory that it does not write (ok).
//@ verdict members_ok: race-free
//@ leans members_ok: !A2
//@ verdict members_bad: undecided
//@ verdict loop_ok: race-free
//@ verdict loop_bad: undecided
//@ verdict constant_ok: race-free
//@ verdict constant_bad: undecided
//@ verdict table_ok: race-free
//@ verdict table_bad: undecided
#include <cuda_runtime.h>

struct Source {
  cudaTextureObject_t texture;
  int *memory;
};

__constant__ cudaTextureObject_t in_constant;

__device__ void shift(int *a, cudaTextureObject_t texture) { a[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x + 1); }

__global__ void members_ok(Source source, int *a) { shift(a, source.texture); } // expect-clean
__global__ void members_bad(Source source, int *) { shift(source.memory, source.texture); }
__global__ void loop_ok(cudaTextureObject_t texture, int *a) { shift(a, texture); } // expect-clean
__global__ void loop_bad(cudaTextureObject_t texture, int *a) { shift(a, texture); }
__global__ void constant_ok(int *a) { shift(a, in_constant); } // expect-clean
__global__ void constant_bad(int *a) { shift(a, in_constant); }
__global__ void table_ok(const cudaTextureObject_t *textures, int *a) { shift(a, textures[1]); } // expect-clean
__global__ void table_bad(const cudaTextureObject_t *textures, int *a) { shift(a, textures[1]); }

static void make(cudaTextureObject_t *texture, int *memory) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 4096;
  cudaTextureDesc how = {};
  cudaCreateTextureObject(texture, &resource, &how, nullptr);
}

int main() {
  Source source;
  int *memory[2], *other;
  cudaTextureObject_t textures[2], *table;
  cudaMalloc(&source.memory, 4096);
  cudaMalloc(&other, 4096);
  make(&source.texture, source.memory);
  members_ok<<<1, 64>>>(source, other);
  members_bad<<<1, 64>>>(source, other);
  for (int i = 0; i < 2; i++) {
    cudaMalloc(&memory[i], 4096);
    make(&textures[i], memory[i]);
  }
  loop_ok<<<1, 64>>>(textures[1], other);
  loop_bad<<<1, 64>>>(textures[1], memory[1]);
  cudaMemcpyToSymbol(in_constant, &source.texture, sizeof in_constant);
  constant_ok<<<1, 64>>>(other);
  constant_bad<<<1, 64>>>(source.memory);
  cudaMalloc(&table, sizeof textures);
  cudaMemcpy(table, textures, sizeof textures, cudaMemcpyHostToDevice);
  table_ok<<<1, 64>>>(table, other);
  table_bad<<<1, 64>>>(table, memory[1]);
  return 0;
}
