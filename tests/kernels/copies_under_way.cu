// What an asynchronous copy puts into an array is there for a launch in the same stream, or behind a wait. Before the copy all places are zero: all threads
// may write a[0].
// same: one stream (ok). waited: another stream, the host waits for the first (ok), or for the second (bad). other: another stream (bad). event: the second stream waits for
// an event behind the copy (ok).
//@ verdict same_ok: race-free
//@ verdict waited_ok: race-free
//@ verdict waited_bad: racy
//@ verdict other_bad: racy
//@ verdict event_ok: race-free
#include <cuda_runtime.h>

__global__ void same_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void waited_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void waited_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void other_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void event_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean

static int *zeros() {
  int *to;
  cudaMalloc(&to, 1024);
  cudaMemset(to, 0, 1024);
  cudaDeviceSynchronize();
  return to;
}

int main() {
  int *a, *places;
  cudaStream_t s, t;
  cudaEvent_t copied;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEventCreate(&copied);
  cudaMalloc(&a, 1024);
  cudaMallocHost(&places, 1024);
  for (int i = 0; i < 256; i++)
    places[i] = i;
  int *to = zeros();
  cudaMemcpyAsync(to, places, 1024, cudaMemcpyHostToDevice, s);
  same_ok<<<1, 256, 0, s>>>(a, to);
  int *next = zeros();
  cudaMemcpyAsync(next, places, 1024, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  waited_ok<<<1, 256, 0, t>>>(a, next);
  int *third = zeros();
  cudaMemcpyAsync(third, places, 1024, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(t);
  waited_bad<<<1, 256, 0, t>>>(a, third);
  int *fourth = zeros();
  cudaMemcpyAsync(fourth, places, 1024, cudaMemcpyHostToDevice, s);
  other_bad<<<1, 256, 0, t>>>(a, fourth);
  int *fifth = zeros();
  cudaMemcpyAsync(fifth, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(copied, s);
  cudaStreamWaitEvent(t, copied, 0);
  event_ok<<<1, 256, 0, t>>>(a, fifth);
  return 0;
}
