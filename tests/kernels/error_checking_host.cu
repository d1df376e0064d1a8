// Host code as it is written: every call checked by a macro, a launch through the C interface with an array of arguments,
// another through a function pointer. The facts behind the checks hold at the launches.
//@ verdict scale_ok: race-free
//@ verdict scale_bad: racy
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                             \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

__global__ void scale_ok(float *a, int rows, int cols, int pitch) { // expect-clean
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (r < rows && c < cols)
    a[r * pitch + c] *= 2;
}

__global__ void scale_bad(float *a, int rows, int cols, int pitch) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (r < rows && c < cols)
    a[r * pitch + c] *= 2; // expect-race {{-Winter-block-race}}
}

int main(int argc, char **argv) {
  int rows = argc, cols = argv[0][0], pitch = argv[0][1];
  float *a = nullptr;
  CHECK(cudaMalloc((void **)&a, rows * pitch * sizeof(float)));
  dim3 block(64), grid((cols + 63) / 64, rows);
  void *args[] = {&a, &rows, &cols, &pitch};
  CHECK(cudaLaunchKernel((const void *)scale_bad, grid, block, args, 0, 0));
  if (pitch < cols) {
    std::fprintf(stderr, "pitch is too small\n");
    std::exit(1);
  }
  void (*kernel)(float *, int, int, int) = scale_ok;
  kernel<<<grid, block>>>(a, rows, cols, pitch);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
  return 0;
}
