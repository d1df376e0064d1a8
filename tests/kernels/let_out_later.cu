// An object is given to code that is not seen nine times, each behind the launch that reads its pointers: before, nobody else has known where it
// is, so that a function which is called in front of it writes elsewhere. again_leans: the same in a loop, so that the function may know the object
// from the round before: that the pointers are two allocations is an assumption then.
//@ verdict later_ok: race-free
//@ leans later_ok: !A2
//@ verdict again_leans: race-free
//@ leans again_leans: A2
#include <cuda_runtime.h>

struct Net {
  float *in, *out;
};
void know(Net *);
void elsewhere();

__device__ void move(const float *in, float *out) {
  int i = threadIdx.x;
  if (i + 1 < 256)
    out[i] = in[i + 1];
}
__global__ void later_ok(const float *in, float *out) { move(in, out); } // expect-clean
__global__ void again_leans(const float *in, float *out) { move(in, out); } // expect-clean

void let_out(Net *net) {
  know(net), know(net), know(net), know(net), know(net), know(net), know(net), know(net), know(net);
}
void once() {
  Net net;
  cudaMalloc(&net.in, 256 * sizeof(float));
  cudaMalloc(&net.out, 256 * sizeof(float));
  elsewhere();
  later_ok<<<1, 256>>>(net.in, net.out);
  let_out(&net);
}
void again(int n) {
  Net net;
  cudaMalloc(&net.in, 256 * sizeof(float));
  cudaMalloc(&net.out, 256 * sizeof(float));
  for (int i = 0; i < n; i++) {
    elsewhere();
    again_leans<<<1, 256>>>(net.in, net.out);
    let_out(&net);
  }
}

int main(int argc, char **argv) {
  once();
  again(argc);
}
