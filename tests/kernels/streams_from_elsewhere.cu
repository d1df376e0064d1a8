// A stream that code gives which is not seen need not wait for the default stream, also in a program that makes others plainly. given: what such a function returns (bad), a stream that is
// made plainly (ok). stored: what it stores. member: a member that holds one made plainly (ok). awaited: the host waits in between (ok).
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict stored_bad: racy
//@ verdict member_ok: race-free
//@ verdict awaited_ok: race-free
#include <cuda_runtime.h>

__global__ void given_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void given_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void stored_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void member_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void awaited_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean

cudaStream_t theirs();
void store(cudaStream_t *stream);
struct Work {
  cudaStream_t stream;
  int *places;
};

static int *zeros() {
  int *to;
  cudaMalloc(&to, 1024);
  cudaMemset(to, 0, 1024);
  cudaDeviceSynchronize();
  return to;
}

int main() {
  int *a, *places;
  cudaStream_t own, given = theirs(), stored;
  Work work;
  store(&stored);
  cudaStreamCreate(&own);
  cudaStreamCreate(&work.stream);
  cudaMalloc(&a, 2048);
  cudaMallocHost(&places, 1024);
  for (int i = 0; i < 256; i++)
    places[i] = i;

  int *one = zeros();
  cudaMemcpyAsync(one, places, 1024, cudaMemcpyHostToDevice, 0);
  given_ok<<<1, 256, 0, own>>>(a, one);

  int *two = zeros();
  cudaMemcpyAsync(two, places, 1024, cudaMemcpyHostToDevice, 0);
  given_bad<<<1, 256, 0, given>>>(a, two);

  int *three = zeros();
  cudaMemcpyAsync(three, places, 1024, cudaMemcpyHostToDevice, 0);
  stored_bad<<<1, 256, 0, stored>>>(a, three);

  work.places = zeros();
  cudaMemcpyAsync(work.places, places, 1024, cudaMemcpyHostToDevice, 0);
  member_ok<<<1, 256, 0, work.stream>>>(a, work.places);

  int *four = zeros();
  cudaMemcpyAsync(four, places, 1024, cudaMemcpyHostToDevice, 0);
  cudaStreamSynchronize(0);
  awaited_ok<<<1, 256, 0, given>>>(a, four);
}
