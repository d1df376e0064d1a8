// What a launch in device code becomes (frontend/fixup.c rewrites the text). The arguments are evaluated; what the child does is
// not seen by its parent, but it comes to be: by its name (the host scan reads what __hgrd_child is called with), or by a launch in host code that never runs, where its template arguments are deduced.
//   child<<<g, b>>>(p)   __hgrd_device_launch<decltype(&child), &child>(g, b)(p)
//   deduced<<<g, b>>>(p) __hgrd_device_launch(__HGRD_LAUNCHER(deduced), g, b)(p)
// In functions of both sides the host keeps the launch (__HGRD_LAUNCH_NAMED, _DEDUCED, _CLOSE); in macros, which may stand
// in code of either side, it is a function of the host that launches (__HGRD_LAUNCH_ANYWHERE).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_LAUNCH_H
#define HGRD_CUDA_LAUNCH_H
#pragma GCC system_header

extern "C" __device__ void __hgrd_launch_from_device(void);
template <class Launcher, class... Arguments> struct __hgrd_made {
  static __host__ void launch(Launcher launcher, Arguments... arguments) { launcher(arguments...); }
  static constexpr void (*made)(Launcher, Arguments...) = &launch;
};
template <class Launcher> struct __hgrd_launched {
  template <class... Arguments> __device__ void operator()(Arguments...) const {
    static_assert(__hgrd_made<Launcher, Arguments...>::made != nullptr, "");
    __hgrd_launch_from_device();
  }
  template <class... Arguments> __host__ void operator()(Arguments...) const {
    static_assert(__hgrd_made<Launcher, Arguments...>::made != nullptr, "");
  }
};
template <class... Parameters>
__device__ void __hgrd_child(const void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                             unsigned block_y, unsigned block_z, size_t shared, Parameters... parameters);
template <class Pointer, Pointer kernel> struct __hgrd_kernel { static constexpr Pointer address = kernel; };
template <class Pointer, Pointer kernel> struct __hgrd_launched_kernel;
template <class... Parameters, void (*kernel)(Parameters...)> struct __hgrd_launched_kernel<void (*)(Parameters...), kernel> {
  dim3 grid, block;
  size_t shared;
  __device__ void operator()(Parameters... parameters) const {
    const void *address = (const void *)__hgrd_kernel<void (*)(Parameters...), kernel>::address;
    __hgrd_child<Parameters...>(address, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, parameters...);
  }
};
template <class Pointer, Pointer kernel>
static inline __device__ __hgrd_launched_kernel<Pointer, kernel> __hgrd_device_launch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = 0) {
  return {grid, block, shared};
}
template <class Launcher>
static inline __host__ __device__ __hgrd_launched<Launcher> __hgrd_device_launch(Launcher, dim3, dim3, size_t = 0, cudaStream_t = 0) {
  return __hgrd_launched<Launcher>();
}
template <class Launch> static inline __host__ __attribute__((nodebug)) void __hgrd_launch_here(const Launch &launch) { launch(); }
template <class Launch> static inline __device__ void __hgrd_launch_here(const Launch &) { __hgrd_launch_from_device(); }

#define __HGRD_LAUNCHER(...) [](auto... hgrd) __attribute__((host)) { __VA_ARGS__<<<1, 1>>>(hgrd...); }
#define HGRD_LAUNCH_LIST(...) __VA_ARGS__
#ifdef __CUDA_ARCH__
#define __HGRD_LAUNCH_NAMED(...) __hgrd_device_launch<decltype(&__VA_ARGS__), &__VA_ARGS__>(
#define __HGRD_LAUNCH_DEDUCED(...) __hgrd_device_launch(__HGRD_LAUNCHER(__VA_ARGS__),
#define __HGRD_LAUNCH_CLOSE )
#define __HGRD_LAUNCH_ANYWHERE(callee, shape, arguments) \
  __hgrd_device_launch(__HGRD_LAUNCHER(HGRD_LAUNCH_LIST callee), HGRD_LAUNCH_LIST shape) arguments
#else
#define __HGRD_LAUNCH_NAMED(...) __VA_ARGS__<<<
#define __HGRD_LAUNCH_DEDUCED(...) __VA_ARGS__<<<
#define __HGRD_LAUNCH_CLOSE >>>
#define __HGRD_LAUNCH_ANYWHERE(callee, shape, arguments) \
  __hgrd_launch_here([&]() __attribute__((host, nodebug)) { HGRD_LAUNCH_LIST callee<<<HGRD_LAUNCH_LIST shape>>>arguments; })
#endif
#endif
