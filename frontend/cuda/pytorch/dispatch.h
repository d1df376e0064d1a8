// A closure for each type that a tensor may have: AT_DISPATCH_*.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_PYTORCH_DISPATCH_H
#define HGRD_PYTORCH_DISPATCH_H
#pragma GCC system_header
#include <pytorch/tensor.h>
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                                            \
  [&] {                                                                                                                \
    switch ((::at::ScalarType)(TYPE)) {                                                                                \
      __VA_ARGS__                                                                                                      \
    default: __hgrd_pytorch_throws();                                                                                  \
    }                                                                                                                  \
  }()
#define AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, HINT, ...)                                                          \
  case enum_type: {                                                                                                    \
    using HINT [[maybe_unused]] = ::at::hgrd_cpp_type<enum_type>;                                                      \
    return __VA_ARGS__();                                                                                              \
  }
#define AT_DISPATCH_CASE(enum_type, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, scalar_t, __VA_ARGS__)
#define AT_PRIVATE_CASE_TYPE(NAME, enum_type, type, ...) AT_DISPATCH_CASE(enum_type, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(::at::ScalarType::Double, __VA_ARGS__)                                                              \
  AT_DISPATCH_CASE(::at::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                                           \
  AT_DISPATCH_CASE(::at::ScalarType::Byte, __VA_ARGS__)                                                                \
  AT_DISPATCH_CASE(::at::ScalarType::Char, __VA_ARGS__)                                                                \
  AT_DISPATCH_CASE(::at::ScalarType::Int, __VA_ARGS__)                                                                 \
  AT_DISPATCH_CASE(::at::ScalarType::Long, __VA_ARGS__)                                                                \
  AT_DISPATCH_CASE(::at::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                                                \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define HGRD_DISPATCH(kind, T, N, ...) AT_DISPATCH_SWITCH(T, N, AT_DISPATCH_CASE_##kind(__VA_ARGS__))
#define HGRD_DISPATCH1(kind, A, T, N, ...)                                                                             \
  AT_DISPATCH_SWITCH(T, N, AT_DISPATCH_CASE_##kind(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__))
#define HGRD_DISPATCH2(kind, A, B, T, N, ...)                                                                          \
  AT_DISPATCH_SWITCH(T, N,                                                                                             \
                     AT_DISPATCH_CASE_##kind(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__)                             \
                         AT_DISPATCH_CASE(B, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES(T, N, ...) HGRD_DISPATCH(FLOATING_TYPES, T, N, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(T, N, ...)                                                                 \
  HGRD_DISPATCH1(FLOATING_TYPES, ::at::ScalarType::Half, T, N, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(A, T, N, ...) HGRD_DISPATCH1(FLOATING_TYPES, A, T, N, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, T, N, ...) HGRD_DISPATCH2(FLOATING_TYPES, A, B, T, N, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(T, N, ...)                                                                  \
  AT_DISPATCH_SWITCH(T, N,                                                                                             \
                     AT_DISPATCH_CASE(::at::ScalarType::Half, __VA_ARGS__)                                             \
                         AT_DISPATCH_CASE(::at::ScalarType::BFloat16, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(T, N, ...) HGRD_DISPATCH(INTEGRAL_TYPES, T, N, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(A, T, N, ...) HGRD_DISPATCH1(INTEGRAL_TYPES, A, T, N, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(T, N, ...) HGRD_DISPATCH(ALL_TYPES, T, N, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_HALF(T, N, ...)                                                                      \
  HGRD_DISPATCH1(ALL_TYPES, ::at::ScalarType::Half, T, N, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(A, T, N, ...) HGRD_DISPATCH1(ALL_TYPES, A, T, N, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, T, N, ...) HGRD_DISPATCH2(ALL_TYPES, A, B, T, N, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(T, N, ...)                                                                             \
  AT_DISPATCH_SWITCH(T, N,                                                                                             \
                     AT_PRIVATE_CASE_TYPE_USING_HINT(::at::ScalarType::Int, index_t, __VA_ARGS__)                      \
                         AT_PRIVATE_CASE_TYPE_USING_HINT(::at::ScalarType::Long, index_t, __VA_ARGS__))
#endif
