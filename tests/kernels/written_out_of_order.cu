// Two launches write one array of places, and a third one scatters by it. Where nothing orders the two, the first one's zeros may come last, and all threads meet
// at one place: streams that do not wait for each other (bad) or of which one waits (ok); a launch that may start before the earlier one has ended (bad) or not (ok).
//@ args: --arch=sm_90
//@ verdict zero: race-free
//@ verdict reverse: race-free
//@ verdict streams_ok: race-free
//@ verdict streams_bad: racy
//@ known-undecided streams_bad: runs are made in the order of the program
//@ verdict early_ok: race-free
//@ verdict early_bad: racy
//@ known-undecided early_bad: runs are made in the order of the program
#include <cuda_runtime.h>

__global__ void zero(int *place, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < n) place[i] = 0;
}
__global__ void reverse(int *place, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) place[i] = n - 1 - i;
}
__device__ void scatter(int *a, int *place, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[place[i]] = i;
}
__global__ void streams_ok(int *a, int *place, int n) { scatter(a, place, n); } // expect-clean
__global__ void streams_bad(int *a, int *place, int n) { scatter(a, place, n); }
__global__ void early_ok(int *a, int *place, int n) { scatter(a, place, n); } // expect-clean
__global__ void early_bad(int *a, int *place, int n) { scatter(a, place, n); }

static void reverse_early(int *place, int may_be) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute[0].val.programmaticStreamSerializationAllowed = may_be;
  config.gridDim = 4;
  config.blockDim = 64;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, reverse, place, 256);
}

int main() {
  int *a, *first, *second, *third, *fourth;
  cudaMalloc(&a, 1024);
  cudaMalloc(&first, 1024);
  cudaMalloc(&second, 1024);
  cudaMalloc(&third, 1024);
  cudaMalloc(&fourth, 1024);
  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);

  zero<<<4, 64, 0, one>>>(first, 256);
  cudaStreamSynchronize(one);
  reverse<<<4, 64, 0, other>>>(first, 256);
  cudaDeviceSynchronize();
  streams_ok<<<4, 64>>>(a, first, 256);

  zero<<<4, 64, 0, one>>>(second, 256);
  reverse<<<4, 64, 0, other>>>(second, 256);
  cudaDeviceSynchronize();
  streams_bad<<<4, 64>>>(a, second, 256);

  zero<<<4, 64>>>(third, 256);
  reverse_early(third, 0);
  cudaDeviceSynchronize();
  early_ok<<<4, 64>>>(a, third, 256);

  zero<<<4, 64>>>(fourth, 256);
  reverse_early(fourth, 1);
  cudaDeviceSynchronize();
  early_bad<<<4, 64>>>(a, fourth, 256);
}
