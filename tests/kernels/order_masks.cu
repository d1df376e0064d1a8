// Locks in one bit of a word: set with a bit-or that returns it clear, cleared by who holds it.
// one: bit 0 (ok); no fence before it is cleared (bad). looked: another bit is looked at than the one that is set (bad).
// many: a bit for each item of an array, in words of 32, the mask computed where it is used (ok); two items are written under one bit (bad).
// two: each kind of block has its bit, and its cell (ok); its bit, and a common cell (bad); both bits share one (wide_ok).
// cleared: another block clears all bits (bad). order: taken with acquire order, cleared with release order (ok), with acquire order (bad).
// scope: set with block scope (bad). nested: the inner bit is given back first (ok); both are, before the access (bad).
//@ verdict one_ok: race-free
//@ rule one_ok: lock
//@ verdict one_bad: racy
//@ verdict looked_bad: racy
//@ verdict many_ok: race-free
//@ verdict many_bad: racy
//@ verdict two_ok: race-free
//@ verdict two_bad: racy
//@ verdict wide_ok: race-free
//@ verdict cleared_bad: racy
//@ verdict order_ok: race-free
//@ verdict order_bad: racy
//@ verdict scope_bad: racy
//@ verdict nested_ok: race-free
//@ verdict nested_bad: racy
#include <cuda/atomic>

__device__ void take(int *word, int bits) {
  while (atomicOr(word, bits) & bits) {
  }
  __threadfence();
}

__device__ void give(int *word, int bits) {
  __threadfence();
  atomicAnd(word, ~bits);
}

__global__ void one_ok(int *word, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(word, 1);
    a[0]++;
    give(word, 1);
  }
}

__global__ void one_bad(int *word, int *a) {
  if (threadIdx.x == 0) {
    take(word, 1);
    a[0]++; // expect-race {{cause=missing-fence}}
    atomicAnd(word, ~1);
  }
}

__global__ void looked_bad(int *word, int *a) {
  if (threadIdx.x == 0) {
    while (atomicOr(word, 1) & 2) {
    }
    __threadfence();
    a[0]++; // expect-race
    give(word, 1);
  }
}

__global__ void many_ok(unsigned *word, int *a, const unsigned *which) { // expect-clean
  unsigned v = which[blockIdx.x];
  if (threadIdx.x != 0 || v >= 128)
    return;
  while (atomicOr(&word[v / 32], 1u << (v % 32)) & (1u << (v % 32))) {
  }
  __threadfence();
  a[v]++;
  __threadfence();
  atomicAnd(&word[v / 32], ~(1u << (v % 32)));
}

__global__ void many_bad(unsigned *word, int *a, const unsigned *which) {
  unsigned v = which[blockIdx.x];
  if (threadIdx.x != 0 || v >= 128)
    return;
  while (atomicOr(&word[v / 32], 1u << (v % 32)) & (1u << (v % 32))) {
  }
  __threadfence();
  a[v / 2]++; // expect-race {{cause=different-locks}}
  __threadfence();
  atomicAnd(&word[v / 32], ~(1u << (v % 32)));
}

__global__ void two_ok(int *word, int *a) { // expect-clean
  int bit = 1 << blockIdx.x % 2;
  if (threadIdx.x == 0) {
    take(word, bit);
    a[blockIdx.x % 2]++;
    give(word, bit);
  }
}

__global__ void two_bad(int *word, int *a) {
  int bit = 1 << blockIdx.x % 2;
  if (threadIdx.x == 0) {
    take(word, bit);
    a[0]++; // expect-race {{cause=different-locks}}
    give(word, bit);
  }
}

__global__ void wide_ok(int *word, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x % 2) {
    take(word, 3);
    a[0]++;
    give(word, 3);
  } else {
    take(word, 2);
    a[0]++;
    give(word, 2);
  }
}

__global__ void cleared_bad(int *word, int *a) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 3) {
    atomicAnd(word, 0);
    return;
  }
  take(word, 1);
  a[0]++; // expect-race
  give(word, 1);
}

__global__ void order_ok(int *word, int *a) { // expect-clean
  cuda::atomic_ref<int, cuda::thread_scope_device> bits(*word);
  if (threadIdx.x == 0) {
    while (bits.fetch_or(1, cuda::memory_order_acquire) & 1) {
    }
    a[0]++;
    bits.fetch_and(~1, cuda::memory_order_release);
  }
}

__global__ void order_bad(int *word, int *a) {
  cuda::atomic_ref<int, cuda::thread_scope_device> bits(*word);
  if (threadIdx.x == 0) {
    while (bits.fetch_or(1, cuda::memory_order_acquire) & 1) {
    }
    a[0]++; // expect-race {{cause=missing-fence}}
    bits.fetch_and(~1, cuda::memory_order_acquire);
  }
}

__global__ void scope_bad(int *word, int *a) {
  if (threadIdx.x == 0) {
    while (atomicOr_block(word, 1) & 1) { // expect-race {{cause=insufficient-scope-atomic}}
    }
    __threadfence();
    a[0]++; // expect-race[data] {{cause=insufficient-scope-lock}}
    __threadfence();
    atomicAnd(word, ~1); // expect-race
  }
}

__global__ void nested_ok(int *word, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(word, 1);
    take(word, 2);
    a[0]++;
    give(word, 2);
    a[1]++;
    give(word, 1);
  }
}

__global__ void nested_bad(int *word, int *a) {
  if (threadIdx.x == 0) {
    take(word, 1);
    take(word, 2);
    a[0]++;
    give(word, 3);
    a[1]++; // expect-race {{cause=unlocked-access}}
  }
}

int main() {
  int *word, *a;
  unsigned *words, *which;
  cudaMalloc((void **)&word, 64);
  cudaMalloc((void **)&words, 64);
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&which, 64);
  cudaMemset(word, 0, 64);
  cudaMemset(words, 0, 64);
  one_ok<<<8, 64>>>(word, a);
  one_bad<<<8, 64>>>(word, a);
  looked_bad<<<8, 64>>>(word, a);
  many_ok<<<8, 64>>>(words, a, which);
  many_bad<<<8, 64>>>(words, a, which);
  two_ok<<<8, 64>>>(word, a);
  two_bad<<<8, 64>>>(word, a);
  wide_ok<<<8, 64>>>(word, a);
  cleared_bad<<<8, 64>>>(word, a);
  order_ok<<<8, 64>>>(word, a);
  order_bad<<<8, 64>>>(word, a);
  scope_bad<<<8, 64>>>(word, a);
  nested_ok<<<8, 64>>>(word, a);
  nested_bad<<<8, 64>>>(word, a);
}
