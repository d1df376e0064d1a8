// How much may be spent on one more instance of a template whose other instances stayed undecided?
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_FAMILIES_H
#define HGRD_DRIVER_FAMILIES_H

#include "driver/workers.h"

// A family: the tasks whose kernels are instances of one template, or one kernel under several launches, in the
// order of the plan. It is gone through in waves of 1, 1, 2, 4, 8 ... tasks; a wave waits for the results of
// those before it.
typedef struct Families Families;

Families *families_make(const CheckPlan *plan, Arena *arena);
// The same number for all tasks of a family, and for a family in every run that begins with the same kernel.
uint64_t families_hash(const CheckTask *tasks, uint32_t task);
bool families_is_ready(const Families *families, uint32_t task); // all that its budget follows from is there
Allowance families_allowance(const Families *families, uint32_t task); // asked when it is ready
void families_tell(Families *families, uint32_t task, const KernelResult *result);

#endif
