// Types of elements: their numbers, c10::Half and c10::BFloat16, which types compute for them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_PYTORCH_SCALARS_H
#define HGRD_PYTORCH_SCALARS_H
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(a) __launch_bounds__(a)
#define C10_LAUNCH_BOUNDS_2(a, b) __launch_bounds__(a, b)
#define C10_WARP_SIZE 32
#define C10_RESTRICT __restrict__
#define C10_UNUSED __attribute__((unused))
#define C10_LIKELY(x) (__builtin_expect(static_cast<bool>(x), 1))
#define C10_UNLIKELY(x) (__builtin_expect(static_cast<bool>(x), 0))
#define C10_EXPORT
#define TORCH_API
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 1
#define TORCH_VERSION_PATCH 0
#define TORCH_VERSION "2.1.0"
#define HGRD_BOTH inline __host__ __device__

// With a float or a double the result is one, with an integer it stays what it is.
template <class S, class T> struct hgrd_joined { typedef S t; };
template <class S> struct hgrd_joined<S, float> { typedef float t; };
template <class S> struct hgrd_joined<S, double> { typedef double t; };
#define HGRD_IF_NUMBER(T) typename std::enable_if<std::is_arithmetic<T>::value, int>::type = 0
#define HGRD_SHORT_OPERATOR(name, op)                                                                                  \
  HGRD_BOTH name operator op(name a, name b) { return name((float)a op(float) b); }                                    \
  template <class T, HGRD_IF_NUMBER(T)> HGRD_BOTH typename hgrd_joined<name, T>::t operator op(name a, T b) {          \
    return (typename hgrd_joined<name, T>::t)((float)a op b);                                                          \
  }                                                                                                                    \
  template <class T, HGRD_IF_NUMBER(T)> HGRD_BOTH typename hgrd_joined<name, T>::t operator op(T a, name b) {          \
    return (typename hgrd_joined<name, T>::t)(a op(float) b);                                                          \
  }
#define HGRD_SHORT_COMPARES(name, op)                                                                                  \
  HGRD_BOTH bool operator op(name a, name b) { return (float)a op(float) b; }                                          \
  template <class T, HGRD_IF_NUMBER(T)> HGRD_BOTH bool operator op(name a, T b) { return (float)a op b; }              \
  template <class T, HGRD_IF_NUMBER(T)> HGRD_BOTH bool operator op(T a, name b) { return a op(float) b; }

namespace c10 {
struct Half;
struct BFloat16;
template <class T, class To> struct hgrd_other_short {}; // the other type of 16 bits
template <> struct hgrd_other_short<Half, BFloat16> { typedef int t; };
template <> struct hgrd_other_short<BFloat16, Half> { typedef int t; };
} // namespace c10
// A type of 16 bits that computes as float does, and is exchanged with CUDA's own.
#define HGRD_SHORT_FLOAT(name, cuda, from, to, implicit)                                                               \
  struct alignas(2) name {                                                                                             \
    unsigned short x;                                                                                                  \
    name() = default;                                                                                                  \
    HGRD_BOTH name(const cuda &v) { __builtin_memcpy(this, &v, 2); }                                                   \
    template <class T, HGRD_IF_NUMBER(T)>                                                                              \
    HGRD_BOTH name(T v) : name(from((float)v)) {}                                                                      \
    template <class T, typename hgrd_other_short<T, name>::t = 0>                                                      \
    HGRD_BOTH explicit name(T v) : name(from((float)v)) {}                                                             \
    HGRD_BOTH cuda hgrd_raw() const {                                                                                  \
      cuda v;                                                                                                          \
      __builtin_memcpy(&v, this, 2);                                                                                   \
      return v;                                                                                                        \
    }                                                                                                                  \
    implicit operator cuda() const { return hgrd_raw(); }                                                              \
    HGRD_BOTH operator float() const { return to(hgrd_raw()); }                                                        \
    HGRD_BOTH name &operator+=(float v) { return *this = name((float)*this + v); }                                     \
    HGRD_BOTH name &operator-=(float v) { return *this = name((float)*this - v); }                                     \
    HGRD_BOTH name &operator*=(float v) { return *this = name((float)*this * v); }                                     \
    HGRD_BOTH name &operator/=(float v) { return *this = name((float)*this / v); }                                     \
  };                                                                                                                   \
  HGRD_BOTH name operator-(name a) { return name(-(float)a); }                                                         \
  HGRD_SHORT_OPERATOR(name, +) HGRD_SHORT_OPERATOR(name, -) HGRD_SHORT_OPERATOR(name, *) HGRD_SHORT_OPERATOR(name, /)  \
  HGRD_SHORT_COMPARES(name, <) HGRD_SHORT_COMPARES(name, >) HGRD_SHORT_COMPARES(name, <=)                              \
  HGRD_SHORT_COMPARES(name, >=) HGRD_SHORT_COMPARES(name, ==) HGRD_SHORT_COMPARES(name, !=)

namespace c10 {
HGRD_SHORT_FLOAT(Half, __half, __float2half, __half2float, HGRD_BOTH)
HGRD_SHORT_FLOAT(BFloat16, __nv_bfloat16, __float2bfloat16, __bfloat162float, explicit HGRD_BOTH)
enum class ScalarType : int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, Bool = 11, BFloat16 = 15, Undefined };
enum class DeviceType : int8_t { CPU, CUDA, COMPILE_TIME_MAX_DEVICE_TYPES = 21 };
constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar,
                     kShort = ScalarType::Short, kInt16 = kShort, kInt = ScalarType::Int, kInt32 = kInt,
                     kLong = ScalarType::Long, kInt64 = kLong, kHalf = ScalarType::Half, kFloat16 = kHalf,
                     kFloat = ScalarType::Float, kFloat32 = kFloat, kDouble = ScalarType::Double, kFloat64 = kDouble,
                     kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16;
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;

template <ScalarType> struct hgrd_type_of {};
template <class> struct hgrd_scalar_of {};
template <class T> struct hgrd_is {
  static bool of(ScalarType) { return true; } // of any, so far as is known
};
template <class T> struct hgrd_is<const T> : hgrd_is<T> {};
#define HGRD_SCALAR(type, number)                                                                                      \
  template <> struct hgrd_type_of<ScalarType::number> { typedef type t; };                                             \
  template <> struct hgrd_scalar_of<type> { static constexpr ScalarType value = ScalarType::number; };                 \
  template <> struct hgrd_is<type> {                                                                                   \
    static bool of(ScalarType t) { return t == ScalarType::number; }                                                   \
  };
HGRD_SCALAR(uint8_t, Byte)
HGRD_SCALAR(int8_t, Char)
HGRD_SCALAR(int16_t, Short)
HGRD_SCALAR(int32_t, Int)
HGRD_SCALAR(int64_t, Long)
HGRD_SCALAR(Half, Half)
HGRD_SCALAR(float, Float)
HGRD_SCALAR(double, Double)
HGRD_SCALAR(bool, Bool)
HGRD_SCALAR(BFloat16, BFloat16)
#undef HGRD_SCALAR
template <class T> struct CppTypeToScalarType : hgrd_scalar_of<T> {};
inline int64_t elementSize(ScalarType t) {
  switch (t) {
  case ScalarType::Byte:
  case ScalarType::Char:
  case ScalarType::Bool: return 1;
  case ScalarType::Short:
  case ScalarType::Half:
  case ScalarType::BFloat16: return 2;
  case ScalarType::Int:
  case ScalarType::Float: return 4;
  default: return 8;
  }
}
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
inline std::string DeviceTypeName(DeviceType, bool = false) { return "cuda"; }
template <class T> struct hgrd_computes { typedef T t; };
template <> struct hgrd_computes<Half> { typedef float t; };
template <> struct hgrd_computes<BFloat16> { typedef float t; };
struct Scalar {
  double value_ = 0;
  template <class T, HGRD_IF_NUMBER(T)> Scalar(T v) : value_((double)v) {}
  Scalar(Half v) : value_((float)v) {}
  Scalar(BFloat16 v) : value_((float)v) {}
  template <class T> T to() const { return (T)value_; }
};
struct Device {
  DeviceType type_ = DeviceType::CUDA;
  int8_t index_ = 0;
  Device(DeviceType t, int i = 0) : type_(t), index_((int8_t)i) {}
  Device(const std::string &) {}
  DeviceType type() const { return type_; }
  int8_t index() const { return index_; }
  bool has_index() const { return true; }
  bool is_cuda() const { return type_ == DeviceType::CUDA; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  bool operator==(const Device &d) const { return type_ == d.type_ && index_ == d.index_; }
  bool operator!=(const Device &d) const { return !(*this == d); }
};
} // namespace c10
namespace at {
using namespace c10;
template <class T, bool> using acc_type = typename hgrd_computes<T>::t;
template <class T> using opmath_type = typename hgrd_computes<T>::t;
template <ScalarType N> using hgrd_cpp_type = typename hgrd_type_of<N>::t;
} // namespace at
extern "C" [[noreturn]] __host__ void __hgrd_pytorch_throws(void);
#endif
