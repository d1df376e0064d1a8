// Nothing but the text in view can know where the variables of this program are: all that it calls without a text is of the library, cos() as
// well, which compilers know without a header. So what comes back from the device goes to no variable, and the pointers stay what they are
// (globals_beside_unseen.cu calls a function of another file instead).
//@ verdict shift_ok: race-free
#include <cmath>
#include <cuda_runtime.h>

double *in, *out, *back;

__global__ void shift_ok(const double *from, double *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    to[i] = from[i + 1];
}

double wave(double x) { return cos(x); }

void rounds(int n, int count, double first) {
  double sum = first;
  for (int r = 0; r < count; r++) {
    cudaMemcpy(in, &sum, sizeof sum, cudaMemcpyDefault);
    shift_ok<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaMemcpyAsync(back, out, sizeof(double), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    sum += wave(back[0]);
  }
}

int main(int argc, char **argv) {
  int n = argc * 1000;
  cudaMallocHost(&back, sizeof(double));
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  for (int i = 0; i < 3; i++)
    rounds(n, argc, i);
}
