// Run-time compilation helpers of the CUDA samples: prototypes; kernels compiled at run time are not analysed.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_NVRTC_HELPER_H
#define HGRD_NVRTC_HELPER_H
#pragma GCC system_header
#include "cuda.h"
#include "helper_cuda_drvapi.h"
#include "nvrtc.h"
#include <fstream>
#include <iostream>
#include <string>
void compileFileToCUBIN(char *name, int argc, char **argv, char **cubin, size_t *bytes, int requires_headers);
CUmodule loadCUBIN(char *cubin, int argc, char **argv);
#endif
