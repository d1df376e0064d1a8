// A table of keys: who finds a slot empty, by compare-and-swap, puts a key there and has the value beside it to itself. That nobody leaves a slot empty follows from
// what was tested on the way.
//   one: the key is not negative, and empty is -1 (the twin: the key may be -1). two: the key is a place in a square, whose row and column lie inside (the twin:
//   the column may be -1). halves: keys and values are two halves of one array (the twin: its halves overlap by one).
//   shifted: the key is not 0, which is empty, and is put there as it is (the twin: shifted, so that its upper bits may be all it had).
//@ verdict one_ok: race-free
//@ verdict one_bad: racy
//@ verdict two_ok: race-free
//@ verdict two_bad: racy
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict shifted_ok: race-free
//@ verdict shifted_bad: racy
#include <cuda_runtime.h>

enum : unsigned { EMPTY = 0xffffffffu };

__device__ unsigned hash(unsigned key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  return key ^ key >> 13;
}

__global__ void one_ok(const int *x, unsigned *keys, unsigned *values, unsigned *count, unsigned size, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] < 0) return;
  unsigned key = x[i], slot = hash(key) % size;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], EMPTY, key);
    if (old == EMPTY) values[slot] = atomicAdd(count, 1u);
    if (old == EMPTY || old == key) break;
    slot = (slot + 1) % size;
  }
}

__global__ void one_bad(const int *x, unsigned *keys, unsigned *values, unsigned *count, unsigned size, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] < -1) return;
  unsigned key = x[i], slot = hash(key) % size;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], EMPTY, key);
    if (old == EMPTY) values[slot] = atomicAdd(count, 1u); // expect-race
    if (old == EMPTY || old == key) break;
    slot = (slot + 1) % size;
  }
}

__global__ void two_ok(const int2 *x, unsigned *keys, unsigned *values, unsigned *count, unsigned size, int n, int side) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row = x[i].x, column = x[i].y;
  if (row < 0 || row >= side || column < 0 || column >= side) return;
  unsigned key = row * side + column, slot = hash(key) % size;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], EMPTY, key);
    if (old == EMPTY) values[slot] = atomicAdd(count, 1u);
    if (old == EMPTY || old == key) break;
    slot = (slot + 1) % size;
  }
}

__global__ void two_bad(const int2 *x, unsigned *keys, unsigned *values, unsigned *count, unsigned size, int n, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row = x[i].x, column = x[i].y;
  if (row < 0 || row >= side || column < -1 || column >= side) return;
  unsigned key = row * side + column, slot = hash(key) % size;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], EMPTY, key);
    if (old == EMPTY) values[slot] = atomicAdd(count, 1u); // expect-race
    if (old == EMPTY || old == key) break;
    slot = (slot + 1) % size;
  }
}

__global__ void halves_ok(const int *x, unsigned *table, unsigned *count, unsigned size, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] < 0) return;
  unsigned key = x[i], slot = hash(key) % (size / 2);
  while (true) {
    unsigned old = atomicCAS(&table[slot], EMPTY, key);
    if (old == EMPTY) table[slot + size / 2] = atomicAdd(count, 1u);
    if (old == EMPTY || old == key) break;
    slot = (slot + 1) % (size / 2);
  }
}

__global__ void halves_bad(const int *x, unsigned *table, unsigned *count, unsigned size, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] < 0) return;
  unsigned key = x[i], slot = hash(key) % (size / 2);
  while (true) {
    unsigned old = atomicCAS(&table[slot], EMPTY, key); // expect-race[overlap]
    if (old == EMPTY) table[slot + size / 2 - 1] = atomicAdd(count, 1u); // expect-race[overlap]
    if (old == EMPTY || old == key) break;
    slot = (slot + 1) % (size / 2);
  }
}

__global__ void shifted_ok(const unsigned *x, unsigned *keys, unsigned *values, unsigned *count, unsigned size, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] == 0) return;
  unsigned key = x[i], slot = hash(key) % size;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], 0, key);
    if (old == 0) values[slot] = atomicAdd(count, 1u);
    if (old == 0 || old == key) break;
    slot = (slot + 1) % size;
  }
}

__global__ void shifted_bad(const unsigned *x, unsigned *keys, unsigned *values, unsigned *count, unsigned size, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] == 0) return;
  unsigned key = x[i] << 4, slot = hash(key) % size;
  while (true) {
    unsigned old = atomicCAS(&keys[slot], 0, key);
    if (old == 0) values[slot] = atomicAdd(count, 1u); // expect-race
    if (old == 0 || old == key) break;
    slot = (slot + 1) % size;
  }
}

int main(int argc, char **argv) {
  int n = argc * 1000, *x;
  unsigned size = argc * 4096u, *table, *values, *count;
  cudaMalloc(&x, n * 8);
  cudaMalloc(&table, size * 4);
  cudaMalloc(&values, size * 4);
  cudaMalloc(&count, 4);
  cudaMemset(table, 0xff, size * 4);
  one_ok<<<(n + 255) / 256, 256>>>(x, table, values, count, size, n);
  cudaMemset(table, 0xff, size * 4);
  one_bad<<<(n + 255) / 256, 256>>>(x, table, values, count, size, n);
  cudaMemset(table, 0xff, size * 4);
  two_ok<<<(n + 255) / 256, 256>>>((int2 *)x, table, values, count, size, n, argc + 4);
  cudaMemset(table, 0xff, size * 4);
  two_bad<<<(n + 255) / 256, 256>>>((int2 *)x, table, values, count, size, n, argc + 4);
  cudaMemset(table, 0xff, size * 4);
  halves_ok<<<(n + 255) / 256, 256>>>(x, table, count, size, n);
  cudaMemset(table, 0xff, size * 4);
  halves_bad<<<(n + 255) / 256, 256>>>(x, table, count, size, n);
  cudaMemset(table, 0, size * 4);
  shifted_ok<<<(n + 255) / 256, 256>>>((unsigned *)x, table, values, count, size, n);
  cudaMemset(table, 0, size * 4);
  shifted_bad<<<(n + 255) / 256, 256>>>((unsigned *)x, table, values, count, size, n);
  cudaDeviceSynchronize();
}
