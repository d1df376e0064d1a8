// cuBLAS over several devices: only what cublas_v2.h has.
// SPDX-License-Identifier: Apache-2.0
#include "cublas_v2.h"
