// Shared by the files of kernelscan/memory/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_MEMORY_MEMORY_H
#define HGRD_KERNELSCAN_MEMORY_MEMORY_H

#include "kernelscan/memory.h"

// points_to.c
SymValue value_target(Scan *scan, Target target);      // a pointer there
uint32_t object_of_launch(Scan *scan, uint32_t index); // of LaunchContext.objects

// tables.c
// Visits the objects that the host has put pointers to into the object; who has put others there that are not followed, NULL: nobody.
const char *table_each_held(Scan *scan, uint32_t object, void (*visit)(void *context, uint32_t pointee),
                            void *context);
// Visits every object that a pointer in the table, a known one, points to; false if there are others.
bool table_each(Scan *scan, uint32_t object, void (*visit)(void *context, uint32_t pointee), void *context);

// allocations.c
// Undecided where it is used to order threads.
void allocations_check_access(Scan *scan, const Access *access, uint32_t object);

#endif
