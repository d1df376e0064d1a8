// Functions out of a table are called in a loop, with an object that other code knows: what the pointers in it are hangs on what the bodies of these
// functions write. table_ok: nothing but numbers. table_bad: one of them puts one pointer at the place of the other [put].
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
#include <cuda_runtime.h>

struct Net {
  float *in, *out;
  int rounds;
};
void know(Net *);

__device__ void move(const float *in, float *out) {
  int i = threadIdx.x;
  if (i + 1 < 256)
    out[i] = in[i + 1]; // expect-race[put]
}
__global__ void table_ok(const float *in, float *out) { move(in, out); } // expect-clean
__global__ void table_bad(const float *in, float *out) { move(in, out); }

typedef void (*Step)(Net &, int);
__attribute__((noinline)) void count(Net &net, int n) { net.rounds += n; }
__attribute__((noinline)) void count_down(Net &net, int n) { net.rounds -= n; }
__attribute__((noinline)) void put(Net &net, int n) {
  if (n > 3)
    net.out = net.in;
}

void make(Net *net) {
  know(net);
  cudaMalloc(&net->in, 256 * sizeof(float));
  cudaMalloc(&net->out, 256 * sizeof(float));
}
void by_numbers(int n, int which) {
  Step steps[] = {count, count_down};
  Net net;
  make(&net);
  for (int i = 0; i < n; i++) {
    table_ok<<<1, 256>>>(net.in, net.out);
    steps[which & 1](net, i);
  }
}
void by_pointers(int n, int which) {
  Step steps[] = {count, put};
  Net net;
  make(&net);
  for (int i = 0; i < n; i++) {
    table_bad<<<1, 256>>>(net.in, net.out);
    steps[which & 1](net, i);
  }
}

int main(int argc, char **argv) {
  by_numbers(argc, argc > 2);
  by_pointers(argc, argc > 2);
}
