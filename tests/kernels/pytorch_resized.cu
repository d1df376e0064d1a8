// A tensor that is resized in place keeps its memory, if there is enough, and so shares it with who had it before: by the sketch of PyTorch. The twin
// is another tensor's memory.
//@ verdict resized: racy
//@ verdict of_another: race-free
#include <torch/extension.h>

static __device__ void shift(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) to[i] = from[i + 1]; // expect-race
}

__global__ void resized(float *to, const float *from, int n) { shift(to, from, n); }
__global__ void of_another(float *to, const float *from, int n) { shift(to, from, n); } // expect-clean

void sizes() {
  auto x = torch::empty({1024}), y = x, z = torch::empty({1024});
  x.resize_({512});
  resized<<<2, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 512);
  of_another<<<2, 256>>>(x.data_ptr<float>(), z.data_ptr<float>(), 512);
}
