// What was not there when the files were read, and which kernels that bears on.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_DOUBTS_H
#define HGRD_DRIVER_DOUBTS_H

#include "core/finding.h"
#include "frontend/frontend.h"

typedef struct TaskDoubts {
  bool has_gaps;          // something was left out: all that is said leans on its having no bearing (A14)
  FrontendDoubts reasons; // why a proof would not be one
} TaskDoubts;

TaskDoubts doubts_of(const Program *program, const IrModule *module, const IrFunction *kernel,
                     const LaunchContext *launch, Arena *arena);
void doubts_apply(const TaskDoubts *doubts, KernelResult *result, Arena *arena);

#endif
