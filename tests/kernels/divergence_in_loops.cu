// A barrier that has been moved under a condition inside of a loop: in some round one thread waits there, another one goes
// round it and waits at the next barrier, or goes on with the work that the barrier was for.
// halving: the sum of halves, i = 128, 64 ...: in the first round threads from 128 on go on to the barrier behind the loop (bad);
// the barrier behind the condition is reached by all (ok).
//@ verdict halving_ok: race-free
//@ verdict halving_bad: undecided
// table: threads load entries i, i + 128 ... of 33: those from 33 on load none, and wait behind the loop (bad). Of 256 entries
// all threads load two (ok).
//@ verdict table_ok: race-free
//@ verdict table_bad: undecided
// tiles: n is a multiple of 1000, so the last tile of 256 is not full: threads behind its end read the tile without having waited
// for it (bad). What data says of `scale` in front of the loop does not matter: branches on it come together again without a
// barrier. Of a multiple of 1024 all tiles are full (ok); the barrier at the end of a round keeps reads and the next loads apart.
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
// shrink: in round i only threads i + 1 to 254 - i compute; with the barrier among what they do, thread 0 waits for the next one
// (bad).
//@ verdict shrink_ok: race-free
//@ verdict shrink_bad: undecided
// listed: as many rounds as the table says for the thread (bad: possible, some tables are even), or for the block (ok).
//@ verdict listed_ok: race-free
//@ verdict listed_bad: undecided
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void halving_ok(const float *x, float *out) { // expect-clean
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (unsigned i = blockDim.x / 2; i > 0; i >>= 1) {
    if (threadIdx.x < i) s[threadIdx.x] = fminf(s[threadIdx.x], s[threadIdx.x + i]);
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = s[0];
}

__global__ void halving_bad(const float *x, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (unsigned i = blockDim.x / 2; i > 0; i >>= 1) {
    if (threadIdx.x < i) {
      s[threadIdx.x] = fminf(s[threadIdx.x], s[threadIdx.x + i]);
      __syncthreads(); // expect-divergence {{definite}}
    }
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[0];
}

__global__ void table_ok(const float *table, float *out, int entries) { // expect-clean
  __shared__ float s[256];
  for (int i = threadIdx.x; i < entries; i += blockDim.x) {
    s[i] = table[i];
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x % 32];
}

__global__ void table_bad(const float *table, float *out, int entries) {
  __shared__ float s[256];
  for (int i = threadIdx.x; i < entries; i += blockDim.x) {
    s[i] = table[i];
    __syncthreads(); // expect-divergence {{definite}}
  }
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x % 32];
}

__global__ void tiles_ok(const float *x, const float *data, float *out, int n) { // expect-clean
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float seen = data[i], scale = 1, sum = 0;
  if (seen > 0.1f && seen <= 0.3f) scale = seen * 5;
  for (int m = 0; m <= (n - 1) / 256; m++) {
    int count = min(256, n - 256 * m);
    if (threadIdx.x < count) {
      s[threadIdx.x] = x[threadIdx.x + 256 * m];
      __syncthreads();
    }
    for (int e = 0; e < 256; e++)
      sum += s[e] * scale;
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void tiles_bad(const float *x, const float *data, float *out, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float seen = data[i], scale = 1, sum = 0;
  if (seen > 0.1f && seen <= 0.3f) scale = seen * 5;
  for (int m = 0; m <= (n - 1) / 256; m++) {
    int count = min(256, n - 256 * m);
    if (threadIdx.x < count) {
      s[threadIdx.x] = x[threadIdx.x + 256 * m]; // expect-race[tile]
      __syncthreads(); // expect-divergence {{definite}}
    }
    for (int e = 0; e < 256; e++)
      sum += s[e] * scale; // expect-race[tile]
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void shrink_ok(const float *x, float *out, int rounds) { // expect-clean
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    bool is_inside = t >= i + 1 && t <= 256 - 2 - i;
    float sum = is_inside ? s[t - 1] + s[t + 1] : 0;
    __syncthreads();
    if (is_inside) s[t] = sum;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = s[t];
}

__global__ void shrink_bad(const float *x, float *out, int rounds) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    bool is_inside = t >= i + 1 && t <= 256 - 2 - i;
    float sum = 0;
    if (is_inside) {
      sum = s[t - 1] + s[t + 1];
      __syncthreads(); // expect-divergence {{definite}}
    }
    if (is_inside) s[t] = sum;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = s[t];
}

__global__ void listed_ok(const int *count, const float *x, float *out) { // expect-clean
  __shared__ float s[128];
  float sum = 0;
  for (int i = 0; i < count[blockIdx.x]; i++) {
    s[threadIdx.x] = x[i * 128 + threadIdx.x];
    __syncthreads();
    sum += s[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void listed_bad(const int *count, const float *x, float *out) {
  __shared__ float s[128];
  float sum = 0;
  for (int i = 0; i < count[blockIdx.x * 128 + threadIdx.x]; i++) {
    s[threadIdx.x] = x[i * 128 + threadIdx.x];
    __syncthreads(); // expect-divergence {{possible}}
    sum += s[threadIdx.x ^ 1];
    __syncthreads(); // expect-divergence {{possible}}
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

int main(int argc, char **argv) {
  int n = 1000 * atoi(argv[1]), full = 1024 * atoi(argv[1]), *count;
  float *a, *b, *x;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&count, 1 << 16);
  halving_ok<<<64, 256>>>(a, b);
  halving_bad<<<64, 256>>>(a, b);
  table_ok<<<64, 128>>>(a, b, 256);
  table_bad<<<64, 128>>>(a, b, 33);
  tiles_ok<<<(full + 255) / 256, 256>>>(x, a, b, full);
  tiles_bad<<<(n + 255) / 256, 256>>>(x, a, b, n);
  shrink_ok<<<64, 256>>>(a, b, 20);
  shrink_bad<<<64, 256>>>(a, b, 20);
  listed_ok<<<64, 128>>>(count, a, b);
  listed_bad<<<64, 128>>>(count, a, b);
}
