// --confirm: does a run of the program show what is possible or undecided?
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_CONFIRM_H
#define HGRD_DRIVER_CONFIRM_H

#include "driver/run.h"

// Behind run_check_kernels: the results say what was seen.
void confirm_results(Run *run);

#endif
