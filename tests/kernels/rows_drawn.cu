// 10 blocks of 250 threads shuffle a column of a table each: the row is drawn, that is a remainder, and a row has as many places as there are threads.
// rows: exactly as many (ok), or a hundred less (bad). kept: the divisor is a number (ok); the column is another thread's (bad).
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
#include <cuda_runtime.h>

typedef unsigned long long Place;

template <int WIDTH>
__device__ void rows(int *table, const unsigned *drawn, unsigned count) {
  Place column = threadIdx.x + blockIdx.x * 250, left = count;
  for (; left > 0; left--) {
    Place with = drawn[left] % left * WIDTH + column, last = left * WIDTH + column;
    int kept = table[with];     // expect-race[rows]
    table[with] = table[last];  // expect-race[rows]
    table[last] = kept;         // expect-race[rows]
  }
}
__global__ void rows_ok(int *table, const unsigned *drawn, unsigned count) { rows<2500>(table, drawn, count); } // expect-clean
__global__ void rows_bad(int *table, const unsigned *drawn, unsigned count) { rows<2400>(table, drawn, count); }

template <int MOVED>
__device__ void kept(int *table, const unsigned *drawn, int count) {
  Place column = threadIdx.x + blockIdx.x * 250;
  for (int i = 0; i < count; i++)
    table[drawn[i] % 1000 * 2500 + column] = table[drawn[i + 1] % 1000 * 2500 + column + MOVED] + 1; // expect-race[kept]
}
__global__ void kept_ok(int *table, const unsigned *drawn, int count) { kept<0>(table, drawn, count); } // expect-clean
__global__ void kept_bad(int *table, const unsigned *drawn, int count) { kept<1>(table, drawn, count); }

void run(int *table, const unsigned *drawn) {
  rows_ok<<<10, 250>>>(table, drawn, 1000);
  rows_bad<<<10, 250>>>(table, drawn, 1000);
  kept_ok<<<10, 250>>>(table, drawn, 1000);
  kept_bad<<<10, 250>>>(table, drawn, 1000);
}
