// Forced behind the headers of a toolkit: what nvcc makes known and clang's view of those headers leaves out.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TOOLKIT_H
#define HGRD_TOOLKIT_H
#pragma GCC system_header
#undef __CUDACC__
#define __CUDACC__ 1
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "../hgrd_launch.h"
#include "../hgrd_min_max.h"
#include "../hgrd_nv_atomic.h"
#include "../hgrd_surface.h"
#endif
