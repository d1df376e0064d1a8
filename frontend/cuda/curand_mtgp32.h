// The declarations stand in curand_kernel.h.
// SPDX-License-Identifier: Apache-2.0
#include "curand_kernel.h"
