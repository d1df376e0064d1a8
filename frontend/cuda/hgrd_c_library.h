// What nvcc includes of the C and C++ libraries in front of every file. Forced in front of hgrd_cuda_prefix.h only for a
// file that does not compile without: its prototypes cover most programs in a fraction of the time.
// SPDX-License-Identifier: Apache-2.0
#pragma GCC system_header
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>
#endif
