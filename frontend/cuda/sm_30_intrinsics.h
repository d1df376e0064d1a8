// Known without an include in .cu files; see hgrd_cuda_prefix.h.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
