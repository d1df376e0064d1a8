// Names of driver errors, of the CUDA samples.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRVAPI_ERROR_STRING_H
#define HGRD_DRVAPI_ERROR_STRING_H
#pragma GCC system_header
#include "cuda.h"
const char *getCudaDrvErrorString(CUresult error);
#endif
