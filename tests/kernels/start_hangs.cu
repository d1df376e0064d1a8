// What an earlier launch leaves in a flag or counter is seen in a run of it: may it hang on something that another run has otherwise?
// part: of 1000 flags all are taken down behind the kernel (ok), or the first 900 (bad).
// size: a kernel counts in the counter in threads from a number on that is fixed (ok), or not (bad); in the runs there are none.
// contents: the flag is taken down where thread 0 comes (ok), or where memory holds zero (bad).
// last: the last block sets the counter back (ok), or does so where the sum is small (bad).
// behind: a kernel that counts what memory holds is followed by one that sets the counter back (ok), or by none (bad).
//@ verdict part_ok: race-free
//@ leans part_ok: A15
//@ verdict part_bad: undecided
//@ verdict size_ok: race-free
//@ leans size_ok: A15
//@ verdict size_bad: undecided
//@ verdict contents_ok: race-free
//@ leans contents_ok: A15
//@ verdict contents_bad: undecided
//@ verdict last_ok: race-free
//@ leans last_ok: A15
//@ verdict last_bad: undecided
//@ verdict behind_ok: race-free
//@ leans behind_ok: A15
//@ verdict behind_bad: undecided
//@ args: --kernel=_(ok|bad)
#include <cstdlib>
#include <cuda_runtime.h>

template <int OF> __device__ int flags[1024];
template <int OF> __device__ int data_of[1024];
template <int OF> __device__ int counter;

template <int OF> __device__ void pass_along(int *out) {
  int b = blockIdx.x;
  if (threadIdx.x) return;
  data_of<OF>[b] = b;
  __threadfence();
  atomicExch(&flags<OF>[b], 1);
  if (b == 0) return;
  while (atomicAdd(&flags<OF>[b - 1], 0) == 0) {}
  __threadfence();
  out[b] = data_of<OF>[b - 1];
}
template <int OF> __device__ void hand_over(int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data_of<OF>[0] = 42;
    __threadfence();
    atomicExch(&flags<OF>[0], 1);
  } else {
    while (atomicAdd(&flags<OF>[0], 0) == 0) {}
    __threadfence();
    out[blockIdx.x] = data_of<OF>[0];
  }
}
template <int OF, int BELOW> __device__ void last_block(int *total, int *parts, const int *in) {
  if (threadIdx.x) return;
  parts[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (atomicAdd(&counter<OF>, 1) != gridDim.x - 1) return;
  __threadfence();
  int sum = 0;
  for (int i = 0; i < gridDim.x; i++) sum += parts[i];
  *total = sum;
  if (BELOW == 0 || sum < BELOW) counter<OF> = 0;
}
template <int OF> __global__ void take_down() { flags<OF>[threadIdx.x] = 0; }
template <int OF> __global__ void take_down_where(const int *in) {
  if (threadIdx.x == 0 && (OF == 0 || in[0] == 0)) flags<OF + 10>[0] = 0;
}
template <int OF> __global__ void count_from(int n) {
  if (blockIdx.x * 256 + threadIdx.x >= n) atomicAdd(&counter<OF>, 1);
}
template <int OF> __global__ void count_zeros(const int *in) {
  if (in[threadIdx.x] == 12345) atomicAdd(&counter<OF>, 1);
}
template <int OF> __global__ void set_back() { counter<OF> = 0; }

__global__ void part_ok(int *out) { pass_along<0>(out); } // expect-clean
__global__ void part_bad(int *out) { pass_along<1>(out); }
__global__ void contents_ok(int *out) { hand_over<10>(out); } // expect-clean
__global__ void contents_bad(int *out) { hand_over<11>(out); }
__global__ void size_ok(int *total, int *parts, const int *in) { last_block<0, 0>(total, parts, in); } // expect-clean
__global__ void size_bad(int *total, int *parts, const int *in) { last_block<1, 0>(total, parts, in); }
__global__ void last_ok(int *total, int *parts, const int *in) { last_block<2, 0>(total, parts, in); } // expect-clean
__global__ void last_bad(int *total, int *parts, const int *in) { last_block<3, 5000>(total, parts, in); }
__global__ void behind_ok(int *total, int *parts, const int *in) { last_block<4, 0>(total, parts, in); } // expect-clean
__global__ void behind_bad(int *total, int *parts, const int *in) { last_block<5, 0>(total, parts, in); }

int main(int argc, char **argv) {
  int *out, *in, *parts;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  cudaMalloc(&parts, 4096);
  int n = atoi(argv[1]);
  if (n < 1) return 1;
  for (int r = 0; r < 3; r++) {
    part_ok<<<1000, 32>>>(out);
    take_down<0><<<1, 1000>>>();
    part_bad<<<1000, 32>>>(out);
    take_down<1><<<1, 900>>>();

    contents_ok<<<8, 32>>>(out);
    take_down_where<0><<<1, 1>>>(in);
    contents_bad<<<8, 32>>>(out);
    take_down_where<1><<<1, 1>>>(in);

    last_ok<<<64, 32>>>(out, parts, in);
    last_bad<<<64, 32>>>(out, parts, in);

    count_zeros<4><<<1, 32>>>(in);
    set_back<4><<<1, 1>>>();
    behind_ok<<<64, 32>>>(out, parts, in);
    count_zeros<5><<<1, 32>>>(in);
    behind_bad<<<64, 32>>>(out, parts, in);
  }
  count_from<0><<<4, 256>>>(1024);
  size_ok<<<64, 32>>>(out, parts, in);
  count_from<1><<<4, 256>>>(n);
  size_bad<<<64, 32>>>(out, parts, in);
  cudaDeviceSynchronize();
}
