// The declarations stand in the header without pp.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_bf16.h"
