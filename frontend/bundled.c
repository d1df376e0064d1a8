// Where do a source tree and its build keep the bundled declarations? A program that is run from the build
// folder reads them from the sources. What is installed has them beside itself, and must not know, let alone
// read, the folder that it was built in: it is linked with this file compiled with HGRD_INSTALLED
// (CMakeLists.txt).
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/bundled.h"

#include <stddef.h>

#ifdef HGRD_INSTALLED
const char *const places_source_declarations = NULL;
const char *const places_source_precompiled = NULL;
#else
const char *const places_source_declarations = HGRD_SOURCE_CUDA_DIR;
const char *const places_source_precompiled = HGRD_PRECOMPILED_DIR;
#endif
