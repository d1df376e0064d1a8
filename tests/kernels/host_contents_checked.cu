// The host fills two tables anew before each of the launches of a round, each call checked: what is known of an element
// hangs on calls that all returned 0 in the round in which it was written, of which nothing else speaks.
// parts: each block works on its part. Twin: the parts begin one element too early.
// moved: a number read in the round is added, which has to be 0. Twin: which has to be 0 or more.
//@ verdict parts_ok: race-free
//@ verdict parts_bad: racy
//@ verdict moved_ok: race-free
//@ verdict moved_bad: racy
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { BLOCKS = 12, THREADS = 128 };

__device__ void parts(const int *begin, const int *end, int *out) {
  for (int i = begin[blockIdx.x] + threadIdx.x; i < end[blockIdx.x]; i += THREADS)
    out[i] = blockIdx.x; // expect-race
}
__global__ void parts_ok(const int *begin, const int *end, int *out) { parts(begin, end, out); } // expect-clean
__global__ void parts_bad(const int *begin, const int *end, int *out) { parts(begin, end, out); }

__global__ void moved_ok(const int *begin, int *out) { out[begin[blockIdx.x]] = blockIdx.x; } // expect-clean
__global__ void moved_bad(const int *begin, int *out) { out[begin[blockIdx.x]] = blockIdx.x; } // expect-race

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    printf("%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}

static void divide(int *h_begin, int *h_end, int *begin, int *end, int n, int early) {
  int part = n / BLOCKS;
  for (int i = 0; i < BLOCKS; i++) {
    h_begin[i] = i * part - early;
    h_end[i] = (i + 1) * part;
  }
  check(cudaMemcpy(begin, h_begin, BLOCKS * sizeof(int), cudaMemcpyHostToDevice), "begin");
  check(cudaMemcpy(end, h_end, BLOCKS * sizeof(int), cudaMemcpyHostToDevice), "end");
}

static void move(int *h_begin, int *begin, bool is_strict) {
  for (int i = 0; i < BLOCKS; i++) {
    int by = fgetc(stdin);
    if (by != 0 && (is_strict || by < 0)) exit(1);
    h_begin[i] = i + by;
  }
  check(cudaMemcpy(begin, h_begin, BLOCKS * sizeof(int), cudaMemcpyHostToDevice), "begin");
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  int *h_begin = new int[BLOCKS], *h_end = new int[BLOCKS], *begin, *end, *out, *done, h_done = 0;
  check(cudaMalloc((void **)&begin, BLOCKS * sizeof(int)), "begin");
  check(cudaMalloc((void **)&end, BLOCKS * sizeof(int)), "end");
  check(cudaMalloc((void **)&out, (n + m) * sizeof(int)), "out");
  check(cudaMalloc((void **)&done, sizeof(int)), "done");
  while (!h_done) {
    divide(h_begin, h_end, begin, end, n, 0);
    parts_ok<<<BLOCKS, THREADS>>>(begin, end, out);
    check(cudaDeviceSynchronize(), "first");
    divide(h_begin, h_end, begin, end, m, 1);
    parts_bad<<<BLOCKS, THREADS>>>(begin, end, out);
    check(cudaDeviceSynchronize(), "second");
    move(h_begin, begin, true);
    moved_ok<<<BLOCKS, 1>>>(begin, out);
    check(cudaDeviceSynchronize(), "third");
    move(h_begin, begin, false);
    moved_bad<<<BLOCKS, 1>>>(begin, out);
    check(cudaDeviceSynchronize(), "fourth");
    check(cudaMemcpy(&h_done, done, sizeof(int), cudaMemcpyDeviceToHost), "done");
  }
}
