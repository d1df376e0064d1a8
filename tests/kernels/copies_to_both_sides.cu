// Variables and memory of the host that a copy or a fill "to the device" may write all the same. managed: a variable whose definition, in another
// file, says __managed__. registered: the other file registers it with the runtime. pageable: the device reads memory of malloc on some
// systems.
//@ verdict managed_bad: racy
//@ verdict registered_bad: racy
//@ verdict pageable_bad: racy
#include <cuda_runtime.h>
#include <stdlib.h>

struct Points {
  float *in, *out;
};
extern __managed__ Points shared_points;
Points points;
void *as_device_sees_it(void *);

__global__ void managed_bad(const float *from, float *to) {
  if (threadIdx.x < 255) to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[managed]
}
__global__ void registered_bad(const float *from, float *to) {
  if (threadIdx.x < 255) to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[registered]
}
__global__ void pageable_bad(const int *index, int *to) {
  to[index[threadIdx.x]] = threadIdx.x; // expect-race[pageable]
}
void managed(void) {
  cudaMalloc(&shared_points.in, 1024);
  cudaMalloc(&shared_points.out, 1024);
  cudaMemcpy(&shared_points.in, &shared_points.out, sizeof(float *), cudaMemcpyDeviceToDevice);
  managed_bad<<<1, 256>>>(shared_points.in, shared_points.out);
}

void registered(void) {
  cudaMalloc(&points.in, 1024);
  cudaMalloc(&points.out, 1024);
  void *there = as_device_sees_it(&points);
  cudaMemcpy(there, &points.out, sizeof(float *), cudaMemcpyHostToDevice);
  registered_bad<<<1, 256>>>(points.in, points.out);
}

void pageable(void) {
  int *index = (int *)malloc(256), *to;
  cudaMalloc(&to, 1024);
  for (int i = 0; i < 64; i++)
    index[i] = i;
  cudaMemset(index, 0, 256);
  pageable_bad<<<1, 64>>>(index, to);
}

int main() {
  managed();
  registered();
  pageable();
}
