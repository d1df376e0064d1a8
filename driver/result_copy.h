// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_RESULT_COPY_H
#define HGRD_DRIVER_RESULT_COPY_H

#include "core/finding.h"

// A copy that needs nothing of the arena that `result` was made in. The launch and its facts are shared: they
// belong to the program.
KernelResult *result_copy(const KernelResult *result, Arena *arena);

#endif
