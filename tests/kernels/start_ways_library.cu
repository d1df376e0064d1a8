// A function of a library may be called again: what its launches leave is what the kernel finds then. The flag is taken down behind
// the kernel (ok), only where the caller wants it (bad), or by another function (apart), which need not have been called.
//@ verdict step_ok: race-free
//@ leans step_ok: A15
//@ verdict step_bad: undecided
//@ verdict apart_bad: undecided
//@ args: --kernel=_(ok|bad)
#include <cuda_runtime.h>

template <int OF> __device__ int flag_of;
template <int OF> __device__ int data_of;
template <int OF> __device__ void handed_over(int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data_of<OF> = 42;
    __threadfence();
    atomicExch(&flag_of<OF>, 1);
  } else {
    while (atomicAdd(&flag_of<OF>, 0) == 0) {}
    __threadfence();
    out[blockIdx.x] = data_of<OF>;
  }
}
template <int OF> __global__ void down() { flag_of<OF> = 0; }

__global__ void step_ok(int *out) { handed_over<0>(out); } // expect-clean
__global__ void step_bad(int *out) { handed_over<1>(out); }
__global__ void apart_bad(int *out) { handed_over<2>(out); }

void step(int *out, bool really) {
  step_ok<<<8, 32>>>(out);
  down<0><<<1, 1>>>();
  step_bad<<<8, 32>>>(out);
  if (really) down<1><<<1, 1>>>();
}
void apart(int *out) { apart_bad<<<8, 32>>>(out); }
void take_down() { down<2><<<1, 1>>>(); }
