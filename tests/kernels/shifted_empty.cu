// A word that is shifted left, or doubled, by one bit at a time is zero once all its bits have gone, and the program may go on. Loops that
// end there (bits_ok, bits_bad: counts of bits, without and with the barrier behind them), shifts as often as a thread's number says
// (often_bad; often_ok: not as often as there are bits), and a host that shifts its stride away (stride_bad: forty times, ended_bad: until
// nothing is left; stride_ok: five times, doubled_ok: up to a limit). A word that is below a limit to the end: a negative one (negative_bad; once
// less, negative_ok), one that is left by another way out (other_bad: forty times, other_ok: thirty), one that is narrower than its limit (wide_bad).
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
//@ verdict negative_bad: racy
//@ verdict negative_ok: race-free
//@ verdict other_bad: racy
//@ verdict other_ok: race-free
//@ verdict wide_bad: racy
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

__global__ void negative_bad(int *a) {
  int count = 0;
  for (int m = -1; m < 0; m = (int)((unsigned)m << 1))
    count++;
  a[count == 32 ? threadIdx.x / 2 : threadIdx.x] = threadIdx.x; // expect-race
}

__global__ void negative_ok(int *a) { // expect-clean
  int count = 0;
  for (int m = -1; m < 0; m = (int)((unsigned)m << 1))
    count++;
  a[count == 33 ? threadIdx.x / 2 : threadIdx.x] = threadIdx.x;
}

__global__ void other_bad(int *a, size_t stride) { a[threadIdx.x * stride] = threadIdx.x; } // expect-race

__global__ void other_ok(int *a, size_t stride) { a[threadIdx.x * stride] = threadIdx.x; } // expect-clean

__global__ void wide_bad(int *a, size_t stride) { a[threadIdx.x * stride] = threadIdx.x; } // expect-race

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
  negative_bad<<<1, 64>>>(a);
  negative_ok<<<1, 64>>>(a);
  unsigned limit = n, forty = 1, thirty = 1, narrow = 1;
  for (int round = 0; forty < limit && round < 40; round++)
    forty <<= 1;
  other_bad<<<1, 64>>>(a, forty);
  for (int round = 0; thirty < limit && round < 30; round++)
    thirty <<= 1;
  other_ok<<<1, 64>>>(a, thirty);
  long wide = atol(argv[2]);
  for (int round = 0; narrow < wide && round < 40; round++)
    narrow <<= 1;
  wide_bad<<<1, 64>>>(a, narrow);
  return 0;
}
