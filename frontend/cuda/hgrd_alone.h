// How does hgrd-run run an algorithm of thrust or cub that the host side calls? As a kernel of one thread, so that the
// functions it is given may be the device's alone, and each access is held against its object. In device code the thread
// that calls runs it. Only with HGRD_RUN; hgrd-check reads calls of known or unknown effect instead (hgrd_library.h).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_ALONE_H
#define HGRD_ALONE_H
#pragma GCC system_header
#include "cuda_runtime.h"
#include <stdexcept>
#include <type_traits>
#define HGRD_ALONE_HD inline __host__ __device__ __attribute__((always_inline))

namespace hgrd_alone {
template <class Body, class R> __global__ void kernel(Body body, R *out) { *out = body(); }
template <class Body> __global__ void kernel_void(Body body) { body(); }
// The host is given a result at once, so the stream must not be one that only notes what it is to do. As CUDA has it, the capture is lost.
inline __host__ void read_at_once(cudaStream_t stream) {
  if (cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported)
    throw std::runtime_error("thrust: the host reads the result of an algorithm whose stream is being captured: "
                             "operation not permitted when stream is capturing (cudaErrorStreamCaptureUnsupported)");
}
// Callers are functions of the host alone, beside which stands one of the device: what is for both sides would be compiled for
// the device without the launch, and so without the kernel.
template <bool IsOnDevice, class R, class Body> inline __host__ R run(Body body, cudaStream_t stream = nullptr) {
  if constexpr (!IsOnDevice) {
    return body();
  } else if constexpr (std::is_void<R>::value) {
    kernel_void<<<1, 1, 0, stream>>>(body);
  } else {
    read_at_once(stream);
    R *slot = nullptr;
    cudaMalloc((void **)&slot, sizeof(R));
    kernel<<<1, 1, 0, stream>>>(body, slot);
    R result = *slot; // memory of the device is memory of the process
    cudaFree((void *)slot);
    return result;
  }
}
struct nothing {};
struct nowhere { // in place of values, where keys are sorted alone
  typedef nothing value_type;
  HGRD_ALONE_HD nothing &operator[](long) const { return *(nothing *)(void *)this; }
};
// Stable. With `keys` and `values` for as many elements it takes n log n steps; without, insertions of n squared.
template <class I, class J, class K, class V, class Less>
HGRD_ALONE_HD void sort(I a, J c, long n, K *keys, V *values, Less less) {
  if (!keys) {
    for (long i = 1; i < n; i++) {
      K key = a[i];
      V value = c[i];
      long at = i;
      for (; at > 0 && less(key, (K)a[at - 1]); at--) {
        a[at] = (K)a[at - 1];
        c[at] = (V)c[at - 1];
      }
      a[at] = key;
      c[at] = value;
    }
    return;
  }
  for (long width = 1; width < n; width *= 2) {
    for (long first = 0; first < n; first += 2 * width) {
      long middle = first + width < n ? first + width : n, end = middle + width < n ? middle + width : n;
      long left = first, right = middle;
      for (long to = first; to < end; to++) {
        bool is_right = left == middle || (right < end && less((K)a[right], (K)a[left]));
        long from = is_right ? right++ : left++;
        keys[to] = (K)a[from];
        values[to] = (V)c[from];
      }
    }
    for (long i = 0; i < n; i++) {
      a[i] = keys[i];
      c[i] = values[i];
    }
  }
}
template <class T> inline __host__ T *room(long n) { // to work in
  void *there = nullptr;
  cudaMalloc(&there, (size_t)(n > 0 ? n : 1) * sizeof(T));
  return (T *)there;
}
} // namespace hgrd_alone
#endif
