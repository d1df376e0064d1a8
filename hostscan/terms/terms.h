// Shared by the files of hostscan/terms/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_TERMS_TERMS_H
#define HGRD_HOSTSCAN_TERMS_TERMS_H

#include "hostscan/terms.h"

// arith.c
// Does the condition fix something to a constant: "n == 3", perhaps joined with others?
bool host_fixed_value(HostScan *scan, ExprRef condition, ExprRef *what, ExprRef *value);

#endif
