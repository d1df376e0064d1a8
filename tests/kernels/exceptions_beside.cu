// What stands in memory where two ways come together, one of which ends with a call that may throw: the call has come back there. beside_ok: on
// both ways something is checked. caught_bad: the exception is caught in front of that place, so that nobody knows how far the call got [caught].
//@ verdict beside_ok: race-free
//@ verdict caught_bad: racy
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

struct Net {
  float *in, *out, *spare;
  bool is_large;
};
void know(Net *);

__device__ void move(const float *in, float *out) {
  int i = threadIdx.x;
  if (i + 1 < 256)
    out[i] = in[i + 1]; // expect-race[caught]
}
__global__ void beside_ok(const float *in, float *out) { move(in, out); } // expect-clean
__global__ void caught_bad(const float *in, float *out) { move(in, out); }

__attribute__((noinline)) void check(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}
__attribute__((noinline)) void exchange(Net *net, cudaError_t error) {
  float *in = net->in;
  net->in = net->out;
  check(error);
  net->out = in;
}
void make(Net *net, std::string *name) {
  know(net);
  check(cudaMalloc(&net->in, 256 * sizeof(float)));
  check(cudaMalloc(&net->out, 256 * sizeof(float)));
  check(cudaMalloc(&net->spare, 256 * sizeof(float)));
}
void beside() {
  std::string name("beside");
  Net net;
  make(&net, &name);
  if (net.is_large)
    check(cudaMemset(net.in, 0, 256 * sizeof(float)));
  else
    check(cudaMemset(net.spare, 0, 256 * sizeof(float)));
  beside_ok<<<1, 256>>>(net.in, net.out);
}
void caught(cudaError_t error) {
  std::string name("caught");
  Net net;
  make(&net, &name);
  try {
    exchange(&net, error);
  } catch (const std::runtime_error &) {
  }
  caught_bad<<<1, 256>>>(net.in, net.out);
}

int main() {
  beside();
  caught(cudaGetLastError());
}
