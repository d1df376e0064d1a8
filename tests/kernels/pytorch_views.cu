// Tensors that share memory, by the sketch of PyTorch (frontend/cuda/pytorch): parts from the end, views of what lies somehow.
// Each twin differs by one edit.
//@ verdict last_and_third: racy
//@ verdict last_and_second: race-free
//@ verdict tail: racy
//@ verdict tail_apart: race-free
//@ verdict of_expanded: racy
//@ verdict of_made: race-free
//@ verdict as_it_lies: racy
//@ verdict made_contiguous: race-free
//@ verdict checked: race-free
//@ verdict checked_and_turned: racy
//@ verdict as_other_type: race-free
//@ verdict as_other_type_in_pairs: racy
#include <torch/extension.h>

static __device__ void shift(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) to[i] = from[i + 1]; // expect-race[shift]
}

__global__ void last_and_third(float *to, const float *from, int n) { shift(to, from, n); }
__global__ void last_and_second(float *to, const float *from, int n) { shift(to, from, n); } // expect-clean
__global__ void tail(float *to, const float *from, int n) { shift(to, from, n); }
__global__ void tail_apart(float *to, const float *from, int n) { shift(to, from, n); } // expect-clean

typedef torch::PackedTensorAccessor32<float, 2> Rows;
static __device__ void add(Rows &to, const Rows &from) {
  int i = blockIdx.x, j = threadIdx.x;
  if (i < to.size(0) && j < to.size(1)) to[i][j] = from[i][j] + 1; // expect-race[add]
}

__global__ void of_expanded(Rows to, const Rows from) { add(to, from); }
__global__ void of_made(Rows to, const Rows from) { add(to, from); } // expect-clean
__global__ void as_it_lies(Rows to, const Rows from) { add(to, from); }
__global__ void made_contiguous(Rows to, const Rows from) { add(to, from); } // expect-clean
__global__ void checked(Rows to, const Rows from) { add(to, from); } // expect-clean
__global__ void checked_and_turned(Rows to, const Rows from) { add(to, from); }

static float *ptr(const torch::Tensor &t) {
  return t.data_ptr<float>();
}

static Rows rows(const torch::Tensor &t) {
  return t.packed_accessor32<float, 2>();
}

void parts() {
  auto x = torch::empty({4, 256}), y = torch::empty({1024});
  last_and_third<<<1, 256>>>(ptr(x[-1]), ptr(x[3]), 256);
  last_and_second<<<1, 256>>>(ptr(x[-1]), ptr(x[2]), 256);
  tail<<<3, 256>>>(ptr(y.slice(0, 0, 520)), ptr(y.slice(0, -520, 1024)), 520);
  tail_apart<<<2, 256>>>(ptr(y.slice(0, 0, 512)), ptr(y.slice(0, -512, 1024)), 512);
}

void layouts(torch::Tensor row, torch::Tensor x, torch::Tensor y) {
  auto made = torch::empty({4, 256});
  of_expanded<<<4, 256>>>(rows(row.expand({4, 256}).view({4, 256})), rows(made));
  of_made<<<4, 256>>>(rows(made.view({4, 256})), rows(y));
  as_it_lies<<<4, 256>>>(rows(x), rows(made));
  made_contiguous<<<4, 256>>>(rows(x.contiguous()), rows(made));
}

void asked(torch::Tensor x) {
  TORCH_CHECK(x.is_contiguous(), "rows");
  checked<<<256, 256>>>(rows(x), rows(x));
  checked_and_turned<<<256, 256>>>(rows(x), rows(x.t()));
}

// Types of 16 bits are made of one another by a cast.
__global__ void as_other_type(at::BFloat16 *to, const at::Half *from, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<at::BFloat16>(from[i]);
}

__global__ void as_other_type_in_pairs(at::BFloat16 *to, const at::Half *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i / 2] = static_cast<at::BFloat16>(from[i]); // expect-race[pairs]
}

void cast(torch::Tensor x) {
  int n = x.numel();
  auto to = torch::empty({n}, torch::kBFloat16);
  as_other_type<<<(n + 255) / 256, 256>>>(to.data_ptr<at::BFloat16>(), x.data_ptr<at::Half>(), n);
  as_other_type_in_pairs<<<(n + 255) / 256, 256>>>(to.data_ptr<at::BFloat16>(), x.data_ptr<at::Half>(), n);
}
