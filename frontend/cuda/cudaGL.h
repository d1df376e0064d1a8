// The driver's side of OpenGL interoperation is left out; the runtime's stands in cuda_gl_interop.h.
// SPDX-License-Identifier: Apache-2.0
#include "cuda.h"
#include "cuda_gl_interop.h"
