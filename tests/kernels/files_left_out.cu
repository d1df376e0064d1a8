// A function of the program whose file is not given may write variables that other files can name.
// named: it is called before the stride is read from a variable of this file alone (ok), from one that other files can name (bad).
// early: the stride is read before it is called for the first time.
// library: what is called is a function of the system's headers.
//@ verdict named_ok: race-free
//@ verdict named_bad: racy
//@ verdict early_ok: race-free
//@ verdict library_ok: race-free
#include <cstdlib>
#include <cuda_runtime.h>

__device__ void spread(int *a, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i * stride] = i; // expect-race[spread]
}
__global__ void named_ok(int *a, int s) { spread(a, s); } // expect-clean
__global__ void named_bad(int *a, int s) { spread(a, s); }
__global__ void early_ok(int *a, int s) { spread(a, s); }   // expect-clean
__global__ void library_ok(int *a, int s) { spread(a, s); } // expect-clean

static int own_stride = 1;
int common_stride = 1;
int early_stride = 1;

void read_options();

int main() {
  int *a;
  cudaMalloc(&a, 1 << 20);
  early_ok<<<8, 64>>>(a, early_stride);
  system("nvidia-smi");
  library_ok<<<8, 64>>>(a, early_stride);
  read_options();
  named_ok<<<8, 64>>>(a, own_stride);
  named_bad<<<8, 64>>>(a, common_stride);
  cudaDeviceSynchronize();
}
