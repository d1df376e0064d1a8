// For machines where clang comes without libomp.
// SPDX-License-Identifier: Apache-2.0
#include "../omp.h"
