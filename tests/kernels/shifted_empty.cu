// A word that is shifted left, or doubled, by one bit at a time is zero once all its bits have gone, and the program may go on. Loops that
// end there (bits_ok, bits_bad: counts of bits, without and with the barrier behind them), shifts as often as a thread's number says
// (often_bad; often_ok: not as often as there are bits), and a host that shifts its stride away (stride_bad: forty times, ended_bad: until
// nothing is left; stride_ok: five times, doubled_ok: up to a limit).
//@ verdict bits_bad: racy
//@ verdict bits_ok: race-free
//@ verdict often_bad: racy
//@ verdict often_ok: race-free
//@ verdict started_bad: racy
//@ verdict started_ok: race-free
//@ verdict stride_bad: racy
//@ verdict stride_ok: race-free
//@ verdict ended_bad: racy
//@ verdict doubled_ok: race-free
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void bits_bad(unsigned *sums, const unsigned *x) {
  __shared__ unsigned counts[32];
  unsigned t = threadIdx.x, bit = 0;
  if (t < 32) counts[t] = 0;
  __syncthreads();
  for (unsigned mask = 1; mask; mask <<= 1, bit++)
    if (x[t] & mask) atomicAdd(&counts[bit], 1); // expect-race
  if (t < 32) sums[t] = counts[t];               // expect-race
}

__global__ void bits_ok(unsigned *sums, const unsigned *x) { // expect-clean
  __shared__ unsigned counts[32];
  unsigned t = threadIdx.x, bit = 0;
  if (t < 32) counts[t] = 0;
  __syncthreads();
  for (unsigned mask = 1; mask; mask <<= 1, bit++)
    if (x[t] & mask) atomicAdd(&counts[bit], 1);
  __syncthreads();
  if (t < 32) sums[t] = counts[t];
}

__global__ void often_bad(int *a) {
  unsigned m = 1;
  for (unsigned round = 0; round < threadIdx.x; round++)
    m *= 2;
  a[m == 0 ? 500 : threadIdx.x] = threadIdx.x; // expect-race
}

__global__ void often_ok(int *a) { // expect-clean
  unsigned m = 1;
  for (unsigned round = 0; round < threadIdx.x % 32; round++)
    m *= 2;
  a[m == 0 ? 500 : threadIdx.x] = threadIdx.x;
}

__global__ void started_bad(int *a) {
  unsigned m = 256;
  for (int round = 0; round < 8; round++)
    m <<= 4;
  a[m == 0 ? threadIdx.x / 2 : threadIdx.x] = threadIdx.x; // expect-race
}

__global__ void started_ok(int *a) { // expect-clean
  unsigned m = 256;
  for (int round = 0; round < 5; round++)
    m <<= 4;
  a[m == 0 ? threadIdx.x / 2 : threadIdx.x] = threadIdx.x;
}

__global__ void stride_bad(int *a, size_t stride) { a[threadIdx.x * stride] = threadIdx.x; } // expect-race

__global__ void stride_ok(int *a, size_t stride) { a[threadIdx.x * stride] = threadIdx.x; } // expect-clean

__global__ void ended_bad(int *a, int stride) { a[(int)threadIdx.x * stride] = threadIdx.x; } // expect-race

__global__ void doubled_ok(int *a, size_t stride) { a[threadIdx.x * stride] = threadIdx.x; } // expect-clean

int main(int argc, char **argv) {
  int *a, n = atoi(argv[1]), rounds = 0;
  unsigned *sums, *x, gone = 1, kept = 1, left = 1, below = 1;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&sums, 128);
  cudaMalloc(&x, 256);
  bits_bad<<<1, 64>>>(sums, x);
  bits_ok<<<1, 64>>>(sums, x);
  often_bad<<<1, 64>>>(a);
  often_ok<<<1, 64>>>(a);
  started_bad<<<1, 64>>>(a);
  started_ok<<<1, 64>>>(a);
  for (int round = 0; round < 40; round++)
    gone <<= 1;
  stride_bad<<<1, 64>>>(a, gone);
  for (int round = 0; round < 5; round++)
    kept <<= 1;
  stride_ok<<<1, 64>>>(a, kept);
  for (; left; left <<= 1)
    rounds++;
  ended_bad<<<1, 64>>>(a, 32 - rounds);
  while (below < n)
    below <<= 1;
  doubled_ok<<<1, 64>>>(a, below);
  return 0;
}
