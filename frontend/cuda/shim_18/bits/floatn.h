// Only with clang 18, which refuses the C library's types of 16 bytes on the device: there they are left out.
// SPDX-License-Identifier: Apache-2.0
#ifdef __CUDA_ARCH__
#define __HAVE_FLOAT128 0
#define __HAVE_DISTINCT_FLOAT128 0
#define __HAVE_FLOAT64X 0
#define __HAVE_FLOAT64X_LONG_DOUBLE 0
#include <bits/floatn-common.h>
#else
#include_next <bits/floatn.h>
#endif
