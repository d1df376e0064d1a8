// A variable that is the host's and the device's: what a kernel, a copy to its name or a kernel that is given its address leaves there
// is what the host reads behind them. In each ok it is another variable that is changed. And memory of which nothing here says who
// made it (a function of a library is given it): a kernel may write it as well.
//@ verdict named_ok: race-free
//@ verdict named_bad: racy
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict addressed_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict change_by_name: race-free
//@ verdict change: race-free
//@ verdict go_on: race-free
#include <cuda_runtime.h>

__device__ void spread(int *a, int stride) {
  a[blockIdx.x * stride + threadIdx.x] = blockIdx.x; // expect-race[spread]
}
__global__ void named_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void named_bad(int *a, int s) { spread(a, s); }
__global__ void copied_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void copied_bad(int *a, int s) { spread(a, s); }
__global__ void addressed_bad(int *a, int s) { spread(a, s); }
__global__ void again_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void again_bad(int *a, int s) { spread(a, s); }
__global__ void given_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void given_bad(int *a, int s) { spread(a, s); }

__managed__ int by_name, beside, by_copy, by_address;
__managed__ bool more, ever;

__global__ void change_by_name() { by_name = 32; } // expect-clean
__global__ void change(int *p) { *p = 32; }   // expect-clean
__global__ void go_on(const int *a) { // expect-clean
  if (threadIdx.x == 0 && a[0]) more = true;
}

void with_given(int *a, int *m) {
  m[0] = 64;
  given_ok<<<10, 64>>>(a, m[0]);
  change<<<1, 1>>>(m);
  cudaDeviceSynchronize();
  given_bad<<<10, 64>>>(a, m[0]);
}

int *made_elsewhere();

int main(int argc, char **) {
  int *a, *place, stride = 64, late = 64;
  cudaMalloc(&a, 1 << 20);
  cudaGetSymbolAddress((void **)&place, by_address);

  by_name = beside = 64;
  change_by_name<<<1, 1>>>();
  cudaDeviceSynchronize();
  named_ok<<<10, 64>>>(a, beside);
  named_bad<<<10, 64>>>(a, by_name);

  by_copy = beside = 64;
  cudaMemcpyToSymbol(by_copy, &argc, sizeof argc);
  cudaDeviceSynchronize();
  copied_ok<<<10, 64>>>(a, stride);
  copied_bad<<<10, 64>>>(a, by_copy);

  by_address = 64;
  change<<<1, 1>>>(place);
  cudaDeviceSynchronize();
  addressed_bad<<<10, 64>>>(a, by_address);

  do {
    ever = false;
    go_on<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    again_ok<<<10, 64>>>(a, stride);
    stride = 64;
  } while (ever);
  do {
    more = false;
    go_on<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    again_bad<<<10, 64>>>(a, late);
    late = 32;
  } while (more);

  with_given(a, made_elsewhere());
  return (int)cudaDeviceSynchronize();
}
