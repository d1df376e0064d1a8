// What a launch in device code becomes: child<<<grid, block, bytes, stream>>>(arguments) is rewritten to
// __hgrd_device_launch<decltype(&child), &child>(grid, block, bytes, stream)(arguments), which makes the child exist; without a template
// argument where the kernel's own are deduced. The arguments are evaluated; what the child does is not seen.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_LAUNCH_H
#define HGRD_CUDA_LAUNCH_H
#pragma GCC system_header

extern "C" __device__ void __hgrd_launch_from_device(void);
struct __hgrd_launched_kernel {
  template <class... Arguments> __device__ void operator()(Arguments...) const { __hgrd_launch_from_device(); }
};
template <class Pointer, Pointer kernel>
static inline __device__ __hgrd_launched_kernel __hgrd_device_launch(dim3, dim3, size_t = 0, cudaStream_t = 0) {
  return __hgrd_launched_kernel();
}
static inline __device__ __hgrd_launched_kernel __hgrd_device_launch(dim3, dim3, size_t = 0, cudaStream_t = 0) {
  return __hgrd_launched_kernel();
}
#endif
