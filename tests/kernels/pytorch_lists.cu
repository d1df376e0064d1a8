// Tensors that a function returns in a list, by the sketch of PyTorch: one and its copy, or one and itself, as `contiguous` may give it.
//@ verdict listed: race-free
//@ verdict listed_twice: racy
#include <torch/extension.h>

static __device__ void shift(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) to[i] = from[i + 1]; // expect-race
}

__global__ void listed(float *to, const float *from, int n) { shift(to, from, n); } // expect-clean
__global__ void listed_twice(float *to, const float *from, int n) { shift(to, from, n); }

static float *ptr(const torch::Tensor &t) {
  return t.data_ptr<float>();
}

static std::vector<torch::Tensor> both(torch::Tensor x) {
  return {x, x.clone()};
}

static std::vector<torch::Tensor> twice(torch::Tensor x) {
  return {x, x.contiguous()};
}

void lists(int n) {
  auto x = torch::empty({n}), y = torch::empty({n});
  auto v = both(x), w = twice(y);
  listed<<<(n + 255) / 256, 256>>>(ptr(v[0]), ptr(v[1]), n);
  listed_twice<<<(n + 255) / 256, 256>>>(ptr(w[0]), ptr(w[1]), n);
}
