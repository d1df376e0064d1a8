// The collected host helpers of the CUDA samples.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HELPER_FUNCTIONS_H
#define HGRD_HELPER_FUNCTIONS_H
#pragma GCC system_header
#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#endif
