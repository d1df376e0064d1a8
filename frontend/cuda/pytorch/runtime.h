// Checks, streams and guards of PyTorch, and what tells Python of a function.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_PYTORCH_RUNTIME_H
#define HGRD_PYTORCH_RUNTIME_H
#pragma GCC system_header
#include <pytorch/tensor.h>
// The messages are not looked at.
#define TORCH_CHECK(cond, ...)                                                                                         \
  if (!(cond)) {                                                                                                       \
    __hgrd_pytorch_throws();                                                                                           \
  }
#define TORCH_INTERNAL_ASSERT(cond, ...) TORCH_CHECK(cond)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(cond, ...) ((void)0)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_VALUE(cond, ...) TORCH_CHECK(cond)
#define TORCH_CHECK_TYPE(cond, ...) TORCH_CHECK(cond)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) TORCH_CHECK(cond)
#define AT_ASSERT(cond, ...) TORCH_CHECK(cond)
#define AT_ASSERTM(cond, ...) TORCH_CHECK(cond)
#define AT_CHECK(cond, ...) TORCH_CHECK(cond)
#define AT_ERROR(...) __hgrd_pytorch_throws()
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define C10_CUDA_CHECK(...) ((__VA_ARGS__) == cudaSuccess ? (void)0 : __hgrd_pytorch_throws())
#define AT_CUDA_CHECK(...) C10_CUDA_CHECK(__VA_ARGS__)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define THCudaCheck(...) C10_CUDA_CHECK(__VA_ARGS__)
#define TORCH_EXTENSION_NAME extension
#define TORCH_CUDA_CU_API
#define TORCH_CUDA_CPP_API
namespace at {
struct TensorArg {
  const Tensor &tensor;
  TensorArg(const Tensor &t, const char *, int) : tensor(t) {}
  const Tensor *operator->() const { return &tensor; }
  const Tensor &operator*() const { return tensor; }
};
typedef const char *CheckedFrom;
inline void checkAllSameGPU(CheckedFrom, std::initializer_list<TensorArg>) {}
inline void checkAllSameType(CheckedFrom, std::initializer_list<TensorArg>) {}
inline void checkSameGPU(CheckedFrom, const TensorArg &, const TensorArg &) {}
inline void checkSameType(CheckedFrom, const TensorArg &, const TensorArg &) {}
inline void checkContiguous(CheckedFrom, const TensorArg &) {}
struct DeviceGuard {
  DeviceGuard(Device) {}
};
struct NoGradGuard {};
template <class T> inline const Device device_of(const T &t) { return t.device(); }
} // namespace at
namespace c10 {
namespace cuda {
struct CUDAStream {
  cudaStream_t stream_;
  operator cudaStream_t() const { return stream_; }
  cudaStream_t stream() const { return stream_; }
  void synchronize() const { (void)cudaStreamSynchronize(stream_); }
};
inline CUDAStream getCurrentCUDAStream(int = -1) { return CUDAStream{nullptr}; }
inline CUDAStream getDefaultCUDAStream(int = -1) { return CUDAStream{nullptr}; }
struct CUDAGuard {
  CUDAGuard(at::Device) {}
  CUDAGuard(int64_t) {}
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() {}
  OptionalCUDAGuard(at::Device) {}
};
inline int64_t current_device() { return 0; }
inline int MaybeSetDevice(int) { return 0; }
inline cudaError_t SetDevice(int) { return cudaSuccess; }
inline int device_count() { return (int)__hgrd_pytorch_number(nullptr, 0); }
inline void device_synchronize() { (void)cudaDeviceSynchronize(); }
} // namespace cuda
} // namespace c10
namespace at {
namespace cuda {
namespace detail {
inline bool canUse32BitIndexMath(const Tensor &t, int64_t most = INT32_MAX) { return t.numel() <= most; }
} // namespace detail
using namespace c10::cuda;
inline cudaDeviceProp *getCurrentDeviceProperties() {
  static cudaDeviceProp properties;
  (void)cudaGetDeviceProperties(&properties, 0);
  return &properties;
}
inline cudaDeviceProp *getDeviceProperties(int64_t) { return getCurrentDeviceProperties(); }
inline int warp_size() { return 32; }
using OptionalCUDAGuard = c10::cuda::OptionalCUDAGuard;
} // namespace cuda
} // namespace at
namespace pybind11 {
struct module_ {
  template <class... A> module_ &def(const char *, A &&...) { return *this; }
};
typedef module_ module;
struct arg {
  arg(const char *) {}
  template <class T> arg &operator=(T &&) { return *this; }
};
} // namespace pybind11
namespace torch {
struct Library {
  template <class... A> Library &def(A &&...) { return *this; }
  template <class... A> Library &impl(A &&...) { return *this; }
};
} // namespace torch
#define PYBIND11_MODULE(name, m) __attribute__((unused)) static void hgrd_module(pybind11::module_ &m)
#define TORCH_LIBRARY(ns, m) __attribute__((unused)) static void hgrd_library_##ns(torch::Library &m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) __attribute__((unused)) static void hgrd_fragment_##ns(torch::Library &m)
#define TORCH_LIBRARY_IMPL(ns, key, m) __attribute__((unused)) static void hgrd_library_##ns##_##key(torch::Library &m)
#endif
