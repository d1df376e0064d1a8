// A function that prints by a format stores a number where the format says so (%n): the width of a row is what it has printed. Each kernel
// has a word for each x, at multiples of the width.
// printed: the address is only printed (ok), or filled (bad). text: into an array of characters; a sign for per cent before an n (ok).
// passed: the format comes by way of a function that passes it on. chosen: it is not a constant.
//@ verdict printed_ok: race-free
//@ verdict printed_bad: racy
//@ verdict text_ok: race-free
//@ verdict text_bad: racy
//@ verdict passed_ok: race-free
//@ verdict passed_bad: racy
//@ verdict chosen_bad: racy
#include <cstdio>
#include <cuda_runtime.h>

__device__ void put(int *row, int width) {
  row[threadIdx.x * width] = threadIdx.x; // expect-race[put]
}
__global__ void printed_ok(int *row, int width) { put(row, width); } // expect-clean
__global__ void printed_bad(int *row, int width) { put(row, width); }
__global__ void text_ok(int *row, int width) { put(row, width); } // expect-clean
__global__ void text_bad(int *row, int width) { put(row, width); }
__global__ void passed_ok(int *row, int width) { put(row, width); } // expect-clean
__global__ void passed_bad(int *row, int width) { put(row, width); }
__global__ void chosen_bad(int *row, int width) { put(row, width); }

static void tell(const char *format, int *width) { fprintf(stderr, format, width); }

int main(int argc, char **argv) {
  int *row, one = 1, two = 1, three = 1, four = 1, five = 1, six = 1, seven = 1;
  char text[64];
  cudaMalloc(&row, 4096);
  printf("at %p\n", &one);
  printed_ok<<<1, 32>>>(row, one);
  printf("%nat\n", &two);
  printed_bad<<<1, 32>>>(row, two);
  sprintf(text, "%%n %-5p", &three);
  text_ok<<<1, 32>>>(row, three);
  snprintf(text, sizeof text, "%hhn %d", (signed char *)&four, argc);
  text_bad<<<1, 32>>>(row, four);
  tell("at %p\n", &five);
  passed_ok<<<1, 32>>>(row, five);
  tell("%n", &six);
  passed_bad<<<1, 32>>>(row, six);
  printf(argv[1], &seven);
  chosen_bad<<<1, 32>>>(row, seven);
  cudaDeviceSynchronize();
}
