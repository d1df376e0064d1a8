// cuProfilerStart and cuProfilerStop stand in cuda.h.
// SPDX-License-Identifier: Apache-2.0
#include "cuda.h"
