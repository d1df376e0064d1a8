//@ verdict behind_empty: race-free
//@ verdict behind_empty_bad: racy
//@ verdict behind_byte: race-free
//@ verdict one_of_two: race-free
//@ verdict within: race-free
//@ verdict within_bad: racy
//@ verdict behind_wide: race-free
//@ verdict by_truth: race-free
//@ verdict by_truth_bad: racy
// A class without members is not passed at all, neither in a register nor in memory: what stands behind it moves up; a struct that
// begins with one has its second eight bytes in a register alone, and a word of sixteen bytes is in two.
#include <cuda_runtime.h>

struct Empty {};
struct Byte {
  char value;
};
struct Rows {
  long stride;
  float *data;
  long unused;
};

__global__ void behind_empty(Empty, Rows rows, long add) { // expect-clean
  rows.data[threadIdx.x * rows.stride] = add;
}

__global__ void behind_empty_bad(Empty, Rows rows, long add) {
  rows.data[threadIdx.x * rows.stride] = threadIdx.x + add; // expect-race[row]
}

__global__ void behind_byte(Byte step, float *data) { // expect-clean
  data[threadIdx.x * step.value] = 1;
}

__global__ void one_of_two(Empty, Byte step, float *data) { // expect-clean
  data[threadIdx.x * step.value] = 1;
}

struct Within {
  Empty empty;
  long stride;
};

__global__ void within(Within rows, float *data) { // expect-clean
  data[threadIdx.x * rows.stride] = 1;
}

__global__ void within_bad(Within rows, float *data) {
  data[threadIdx.x * rows.stride] = threadIdx.x; // expect-race[within]
}

__global__ void behind_wide(__int128 wide, long stride, float *data) { // expect-clean
  data[threadIdx.x * stride] = (float)(long)wide;
}

__global__ void by_truth(Empty, bool is_spread, float *data) { // expect-clean
  data[is_spread ? threadIdx.x : 0] = threadIdx.x;
}

__global__ void by_truth_bad(Empty, bool is_spread, float *data) {
  data[is_spread ? threadIdx.x : 0] = threadIdx.x; // expect-race[truth]
}

int main() {
  Within apart, one;
  apart.stride = 2;
  one.stride = 0;
  Rows rows = {4, nullptr, 0}, flat = {0, nullptr, 0};
  float *data;
  cudaMalloc(&rows.data, 4096);
  cudaMalloc(&flat.data, 4096);
  cudaMalloc(&data, 4096);
  behind_empty<<<1, 64>>>(Empty(), rows, 0);
  behind_empty_bad<<<1, 64>>>(Empty(), flat, 1);
  behind_byte<<<1, 64>>>(Byte{2}, data);
  one_of_two<<<1, 64>>>(Empty(), Byte{2}, data);
  within<<<1, 64>>>(apart, data);
  within_bad<<<1, 64>>>(one, data);
  behind_wide<<<1, 64>>>(7, 3, data);
  by_truth<<<1, 64>>>(Empty(), true, data);
  by_truth_bad<<<1, 64>>>(Empty(), false, data);
  cudaDeviceSynchronize();
}
