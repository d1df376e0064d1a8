// An object that other code knows holds pointers and the place of a list that a loop goes along: the loop stores through what the object holds.
// None of its stores is the first to put something else there, so that they all go to the list. list_ok: the place goes on by one. turned_bad:
// in the second round the place is that of a member, so that a pointer is stored over the other one [turned]. swapped_ok: the loop only
// exchanges two of the pointers. handed_bad: one of them is stored in place of the other [handed].
//@ verdict list_ok: race-free
//@ verdict turned_bad: racy
//@ verdict swapped_ok: race-free
//@ verdict handed_bad: racy
#include <cuda_runtime.h>

struct Net {
  float **at, *in, *out, *list[64];
};
void know(Net *);

__device__ void move(const float *in, float *out) {
  int i = threadIdx.x;
  if (i + 1 < 256)
    out[i] = in[i + 1]; // expect-race[turned] expect-race[handed]
}
__global__ void list_ok(const float *in, float *out) { move(in, out); } // expect-clean
__global__ void turned_bad(const float *in, float *out) { move(in, out); }
__global__ void swapped_ok(const float *in, float *out) { move(in, out); } // expect-clean
__global__ void handed_bad(const float *in, float *out) { move(in, out); }

void make(Net *net, float **list) {
  know(net);
  net->at = list;
  cudaMalloc(&net->in, 256 * sizeof(float));
  cudaMalloc(&net->out, 256 * sizeof(float));
}
void go_along(int n) {
  Net net;
  make(&net, new float *[n]);
  for (int i = 0; i < n; i++) {
    *net.at = net.out;
    net.at = net.at + 1;
  }
  list_ok<<<1, 256>>>(net.in, net.out);
}
void turn(int n) {
  Net net;
  make(&net, new float *[n]);
  for (int i = 0; i < n; i++) {
    *net.at = net.out;
    net.at = &net.in;
  }
  turned_bad<<<1, 256>>>(net.in, net.out);
}
void swap_them(int n) {
  Net net;
  make(&net, new float *[n]);
  for (int i = 0; i < n; i++) {
    float *first = net.in;
    *net.at = first;
    net.in = net.out;
    net.out = first;
  }
  swapped_ok<<<1, 256>>>(net.in, net.out);
}
void hand(int n) {
  Net net;
  make(&net, new float *[n]);
  for (int i = 0; i < n; i++) {
    float *first = net.in;
    *net.at = first;
    net.in = net.out;
  }
  handed_bad<<<1, 256>>>(net.in, net.out);
}

int main(int argc, char **argv) {
  go_along(argc);
  turn(argc);
  swap_them(argc);
  hand(argc);
}
