// Its declarations stand in cuda_runtime.h.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
