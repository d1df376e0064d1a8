// The old name of math.h for device code; hgrd_math.h stands in for it.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include <math.h>
