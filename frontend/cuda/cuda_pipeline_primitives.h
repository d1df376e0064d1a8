// The primitives stand in cuda_pipeline.h.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_pipeline.h"
