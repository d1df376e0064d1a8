// The primitives stand in cuda_awbarrier.h.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_awbarrier.h"
