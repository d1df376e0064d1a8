// Launches of an extension of PyTorch, whose headers are not there: sizes and memory of tensors come from the sketch of
// it (frontend/cuda/pytorch). Each twin differs by one edit.
//@ verdict cell: race-free
//@ verdict cell_of_first_row: racy
//@ verdict scale: race-free
//@ verdict scale_rows: racy
//@ verdict turned: racy
//@ verdict copied: race-free
//@ verdict halves: race-free
//@ verdict first_row: racy
//@ verdict of_strided: racy
//@ verdict to_type: race-free
//@ verdict to_device: racy
//@ verdict drawn: race-free
//@ verdict drawn_from_any: racy
//@ leans scale: A14
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

template <class T>
using Rows = torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits>;

template <class T> __global__ void cell(const Rows<T> gates, const Rows<T> old, Rows<T> fresh) { // expect-clean
  int n = blockIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < gates.size(1)) fresh[n][c] = gates[n][c] * old[n][c];
}

template <class T> __global__ void cell_of_first_row(const Rows<T> gates, const Rows<T> old, Rows<T> fresh) {
  int n = blockIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < gates.size(1)) fresh[0][c] = gates[n][c] * old[n][c]; // expect-race[first]
}

std::vector<at::Tensor> cells(at::Tensor gates, at::Tensor old) {
  TORCH_CHECK(gates.size(1) == old.size(1), "as many columns");
  auto fresh = torch::zeros_like(old);
  dim3 blocks((old.size(1) + 255) / 256, old.size(0));
  AT_DISPATCH_FLOATING_TYPES(gates.scalar_type(), "cells", ([&] {
    auto g = gates.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>();
    auto o = old.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>();
    auto f = fresh.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>();
    cell<scalar_t><<<blocks, 256>>>(g, o, f);
    cell_of_first_row<scalar_t><<<blocks, 256>>>(g, o, f);
  }));
  return {fresh, gates};
}

template <class T> __global__ void scale(const T *x, T *out, int n, int c) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * c) out[i] = x[i] * x[i / c * c];
}

template <class T> __global__ void scale_rows(const T *x, T *out, int n, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * c) out[i / c] = x[i]; // expect-race[rows]
}

at::Tensor scaled(const at::Tensor &x) {
  int n = x.size(0), c = x.size(1);
  auto out = torch::empty({n, c}, x.options());
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "scaled", [&] {
    auto stream = at::cuda::getCurrentCUDAStream();
    scale<scalar_t><<<at::ceil_div(n * c, 256), 256, 0, stream>>>(x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n, c);
    scale_rows<scalar_t><<<at::ceil_div(n * c, 256), 256, 0, stream>>>(x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n, c);
  });
  return out;
}

// A view has the memory of what it is a view of, a copy has memory of its own.
__global__ void turned(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race[turned]
}

__global__ void copied(const float *from, float *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

void turn(at::Tensor x) {
  int n = x.numel();
  auto view = x.view({-1, 2}).t(), copy = x.clone();
  turned<<<(n + 127) / 128, 128>>>(x.data_ptr<float>(), view.data_ptr<float>(), n);
  copied<<<(n + 127) / 128, 128>>>(copy.data_ptr<float>(), view.data_ptr<float>(), n);
}

// Parts of one tensor are apart where their places are; a row of it is in it.
__global__ void halves(const float *from, float *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

__global__ void first_row(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race[row]
}

void parts(const at::Tensor &x, int n) {
  auto both = torch::empty({2 * n}, x.options());
  halves<<<(n + 127) / 128, 128>>>(both.narrow(0, 0, n).data_ptr<float>(), both.narrow(0, n, n).data_ptr<float>(), n);
  int columns = x.size(1);
  first_row<<<(columns + 127) / 128, 128>>>(x.data_ptr<float>(), x[0].data_ptr<float>(), columns);
}

// What the library answers is not known: host code may go either way.
__global__ void of_strided(const float *x, float *out, int n) {
  out[0] = x[blockIdx.x * blockDim.x + threadIdx.x]; // expect-race[strided]
}

// A tensor of another type has memory of its own, one that is asked for another device only may be the tensor itself.
__global__ void to_type(const int *from, float *to, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}

__global__ void to_device(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race[device]
}

void convert(const at::Tensor &x, const at::Tensor &numbers) {
  int n = x.numel(), m = numbers.numel();
  if (!x.is_contiguous()) of_strided<<<(n + 127) / 128, 128>>>(x.data_ptr<float>(), x.clone().data_ptr<float>(), n);
  auto as_float = numbers.to(torch::kFloat), here = numbers.to(torch::TensorOptions().device(torch::kCUDA));
  to_type<<<(m + 127) / 128, 128>>>(numbers.data_ptr<int>(), as_float.data_ptr<float>(), m);
  to_device<<<(m + 127) / 128, 128>>>(numbers.data_ptr<int>(), here.data_ptr<int>(), m);
}

// Places drawn from a counter that is set to zero, and from one that is not.
__global__ void drawn(int *list, int *count, const int *x, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) list[atomicAdd(count, 1)] = i;
}

__global__ void drawn_from_any(int *list, int *place, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) list[atomicExch(place, 1)] = i; // expect-race[any]
}

at::Tensor positives(const at::Tensor &x) {
  int n = x.size(0);
  auto list = torch::zeros({n}, torch::kInt), count = torch::zeros({1}, torch::dtype(torch::kInt).device(torch::kCUDA));
  drawn<<<(n + 127) / 128, 128>>>(list.data_ptr<int>(), count.data_ptr<int>(), x.data_ptr<int>(), n);
  drawn_from_any<<<(n + 127) / 128, 128>>>(list.data_ptr<int>(), count.data_ptr<int>(), x.data_ptr<int>(), n);
  return list;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("cells", &cells, "cells of a row");
  m.def("positives", &positives);
}
