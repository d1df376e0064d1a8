// What a test says of a lock follows from what the operation does to the word, in whatever way it is asked. Each twin asks for something
// else by one edit, which the holder's own operation leaves as well: another bit (shift), two bits where it sets one (all), a number that it
// does not reach (less), one that it leaves as it is (down). Writes beside a lock keep it taken, whatever is in the word, or may free it (beside, bits).
//@ verdict shift_ok: race-free
//@ rule shift_ok: lock
//@ verdict shift_bad: racy
//@ verdict all_ok: race-free
//@ rule all_ok: lock
//@ verdict all_bad: racy
//@ verdict less_ok: race-free
//@ rule less_ok: test-and-set
//@ verdict less_bad: racy
//@ verdict down_ok: race-free
//@ rule down_ok: lock
//@ verdict down_bad: racy
//@ verdict beside_ok: race-free
//@ rule beside_ok: lock
//@ verdict beside_bad: racy
//@ verdict bits_ok: race-free
//@ rule bits_ok: lock
//@ verdict bits_bad: racy
#include <cuda_runtime.h>

__device__ void count(int *a) {
  __threadfence();
  a[0]++;
  __threadfence();
}

__global__ void shift_ok(int *word, int *a, int b) { // expect-clean
  if (threadIdx.x != 0 || b < 0 || b > 30) return;
  while (atomicOr(word, 1 << b) >> b & 1) {
  }
  count(a);
  atomicAnd(word, ~(1 << b));
}

__global__ void shift_bad(int *word, int *a, int b) {
  if (threadIdx.x != 0 || b < 0 || b > 29) return;
  while (atomicOr(word, 1 << b) >> (b + 1) & 1) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicAnd(word, ~(1 << b));
}

__global__ void all_ok(int *word, int *a) { // expect-clean
  if (threadIdx.x != 0) return;
  while ((atomicOr(word, 4) & 4) == 4) {
  }
  count(a);
  atomicAnd(word, ~4);
}

__global__ void all_bad(int *word, int *a) {
  if (threadIdx.x != 0) return;
  while ((atomicOr(word, 4) & 6) == 6) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicAnd(word, ~4);
}

__global__ void less_ok(int *word, int *a) { // expect-clean
  if (threadIdx.x == 0 && atomicMax(word, 5) < 3) a[0] = blockIdx.x;
}

__global__ void less_bad(int *word, int *a) {
  if (threadIdx.x == 0 && atomicMax(word, 3) < 5) a[0] = blockIdx.x; // expect-race
}

__global__ void down_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0) return;
  while (atomicMin(lock, 0) != 1) {
  }
  count(a);
  atomicExch(lock, 1);
}

__global__ void down_bad(int *lock, int *a) {
  if (threadIdx.x != 0) return;
  while (atomicMin(lock, 1) != 1) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 1);
}

__global__ void beside_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 1) atomicMax(lock, 7);
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  count(a);
  atomicExch(lock, 0);
}

__global__ void beside_bad(int *lock, int *a) {
  if (threadIdx.x == 1) atomicMin(lock, 0);
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void bits_ok(int *word, int *a) { // expect-clean
  if (threadIdx.x == 1) atomicExch(word, -1);
  if (threadIdx.x != 0) return;
  while (atomicOr(word, 4) & 4) {
  }
  count(a);
  atomicAnd(word, ~4);
}

__global__ void bits_bad(int *word, int *a) {
  if (threadIdx.x == 1) atomicExch(word, -8);
  if (threadIdx.x != 0) return;
  while (atomicOr(word, 4) & 4) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicAnd(word, ~4);
}

int main() {
  int *word, *a;
  cudaMalloc(&word, sizeof *word);
  cudaMalloc(&a, sizeof *a);
  cudaMemset(a, 0, sizeof *a);
#define RUN(kernel, start, ...)              \
  cudaMemset(word, 0, sizeof *word);         \
  kernel<<<8, 32>>>(word, a, ##__VA_ARGS__);
  RUN(shift_ok, 0, 3)
  RUN(shift_bad, 0, 3)
  RUN(all_ok, 0)
  RUN(all_bad, 0)
  RUN(less_ok, 0)
  RUN(less_bad, 0)
  RUN(beside_ok, 0)
  RUN(beside_bad, 0)
  RUN(bits_ok, 0)
  RUN(bits_bad, 0)
  int one = 1, *low;
  cudaMalloc(&low, sizeof *low);
  cudaMemcpy(low, &one, sizeof one, cudaMemcpyHostToDevice);
  down_bad<<<8, 32>>>(low, a);
  down_ok<<<8, 32>>>(word, a);
  return cudaDeviceSynchronize();
}
