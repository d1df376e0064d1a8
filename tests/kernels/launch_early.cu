// A launch may say that its kernel can start before the one in front of it in its stream has ended (programmatic dependent launch). What that
// one leaves, the kernel finds only if it waits for it.
// scatter: the places are those that another kernel computes, all different; before that they are zero. Started early: all threads
// may write a[0] (bad); the attribute says no (ok); it says yes where the program is called with an argument (maybe: bad); the kernel waits before it reads
// (waits: ok).
// ticket: the last block sets the counter back. The second launch waits for the first to end (ok), or starts early and may draw before that (bad).
//@ args: --arch=sm_90
//@ verdict scatter_ok: race-free
//@ verdict scatter_bad: racy
//@ known-undecided scatter_bad: that it starts early is not run
//@ verdict scatter_maybe: racy
//@ known-undecided scatter_maybe: that it starts early is not run
//@ verdict scatter_waits: race-free
//@ known-undecided scatter_waits: that a kernel waits is not seen
//@ verdict reverse: race-free
//@ verdict ticket_ok: race-free
//@ leans ticket_ok: A15
//@ verdict ticket_bad: undecided
#include <cuda_runtime.h>

__global__ void reverse(int *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < n) to[i] = n - 1 - i;
}

__global__ void scatter_ok(int *a, const int *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[to[i]] = i;
}

__global__ void scatter_bad(int *a, const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[to[i]] = i; // expect-race
}

__global__ void scatter_maybe(int *a, const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[to[i]] = i; // expect-race
}

__global__ void scatter_waits(int *a, const int *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaGridDependencySynchronize();
  if (i < n) a[to[i]] = i;
}

__device__ void sum(unsigned *count, int *part, int *total) {
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    for (int i = 0; i < gridDim.x * blockDim.x; i++)
      *total += part[i];
    *count = 0;
  }
}

__global__ void ticket_ok(unsigned *count, int *part, int *total) { // expect-clean
  sum(count, part, total);
}
__global__ void ticket_bad(unsigned *count, int *part, int *total) { sum(count, part, total); }

template <class... Params, class... Args>
static void start(int starts_early, cudaStream_t stream, void (*kernel)(Params...), Args... args) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute[0].val.programmaticStreamSerializationAllowed = starts_early;
  config.gridDim = 4;
  config.blockDim = 64;
  config.stream = stream;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, args...);
}

int main(int argc, char **) {
  int *a, *to, *total;
  unsigned *count;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&a, 1024);
  cudaMalloc(&to, 1024);
  cudaMalloc(&total, 4);
  cudaMemset(to, 0, 1024);
  cudaDeviceSynchronize();
  reverse<<<1, 256, 0, stream>>>(to, 256);
  start(0, stream, scatter_ok, a, to, 256);
  cudaMemset(to, 0, 1024);
  cudaDeviceSynchronize();
  reverse<<<1, 256, 0, stream>>>(to, 256);
  start(1, stream, scatter_bad, a, to, 256);
  cudaDeviceSynchronize();
  reverse<<<1, 256, 0, stream>>>(to, 256);
  start(argc > 1, stream, scatter_maybe, a, to, 256);
  cudaDeviceSynchronize();
  reverse<<<1, 256, 0, stream>>>(to, 256);
  start(1, stream, scatter_waits, a, to, 256);
  {
    cudaMalloc(&count, 4);
    cudaMemset(count, 0, 4);
    start(0, stream, ticket_ok, count, a, total);
    start(0, stream, ticket_ok, count, a, total);
  }
  cudaMalloc(&count, 4);
  cudaMemset(count, 0, 4);
  start(0, stream, ticket_bad, count, a, total);
  start(1, stream, ticket_bad, count, a, total);
  return 0;
}
