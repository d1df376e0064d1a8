// What a launch has left is there for a later one only if that is in order with it: each device has a default stream of its own, and a wait is one for the current
// device. plain: another device is current for the second launch (bad), or the first one was waited for before (ok). waited: the wait is made on the wrong device
// (bad) or on the right one (ok). once: the device is chosen once, in front of both (ok). inside: a function chooses one in between (bad). given: a stream that may not
// wait for the default one (bad).
//@ verdict fill: race-free
//@ verdict plain_ok: race-free
//@ verdict plain_bad: racy
//@ known-undecided plain_bad: runs are made in the order of the program
//@ verdict waited_ok: race-free
//@ verdict waited_bad: racy
//@ known-undecided waited_bad: runs are made in the order of the program
//@ verdict once_ok: race-free
//@ verdict inside_bad: racy
//@ known-undecided inside_bad: runs are made in the order of the program
//@ verdict given_bad: racy
//@ known-undecided given_bad: runs are made in the order of the program
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fill(int *place) { place[threadIdx.x] = 255 - threadIdx.x; } // expect-clean
__global__ void once_ok(int *a, const int *place) { a[place[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void plain_ok(int *a, const int *place) { a[place[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void plain_bad(int *a, const int *place) { a[place[threadIdx.x]] = threadIdx.x; }
__global__ void waited_ok(int *a, const int *place) { a[place[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void waited_bad(int *a, const int *place) { a[place[threadIdx.x]] = threadIdx.x; }
__global__ void inside_bad(int *a, const int *place) { a[place[threadIdx.x]] = threadIdx.x; }
__global__ void given_bad(int *a, const int *place) { a[place[threadIdx.x]] = threadIdx.x; }

static void choose(int device) {
  cudaSetDevice(device);
}

int main() {
  cudaSetDevice(0);
  int *a, *once, *plain, *moved, *waited, *wrong, *inside, *other_stream;
  cudaMallocManaged(&a, 1024);
  cudaMallocManaged(&once, 1024);
  cudaMallocManaged(&plain, 1024);
  cudaMallocManaged(&moved, 1024);
  cudaMallocManaged(&waited, 1024);
  cudaMallocManaged(&wrong, 1024);
  cudaMallocManaged(&inside, 1024);
  cudaMallocManaged(&other_stream, 1024);
  fill<<<1, 256>>>(once);
  once_ok<<<1, 256>>>(a, once);

  fill<<<1, 256>>>(plain);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  plain_ok<<<1, 256>>>(a, plain);
  cudaSetDevice(0);

  fill<<<1, 256>>>(moved);
  cudaSetDevice(1);
  plain_bad<<<1, 256>>>(a, moved);
  cudaSetDevice(0);

  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  fill<<<1, 256, 0, one>>>(waited);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaSetDevice(0);
  waited_ok<<<1, 256, 0, other>>>(a, waited);

  fill<<<1, 256, 0, one>>>(wrong);
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  waited_bad<<<1, 256, 0, other>>>(a, wrong);

  fill<<<1, 256>>>(inside);
  choose(1);
  inside_bad<<<1, 256>>>(a, inside);
  choose(0);

  CUstream given;
  cuStreamCreate(&given, CU_STREAM_NON_BLOCKING);
  fill<<<1, 256, 0, given>>>(other_stream);
  given_bad<<<1, 256>>>(a, other_stream);
}
