// Shared by the files of kernelscan/kernel/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_KERNEL_KERNEL_H
#define HGRD_KERNELSCAN_KERNEL_KERNEL_H

#include "kernelscan/kernel.h"

// calls.c
// The call touches nothing that other threads see: all that is unknown is what it returns.
bool call_is_private(Scan *scan, const IrInst *call);

// tables.c
SymValue value_target(Scan *scan, Target target); // a pointer there
uint32_t object_of_launch(Scan *scan, uint32_t index);
// Visits the objects that the host has put pointers to into the object; who has put others there that are not followed, NULL: nobody.
const char *table_each_held(Scan *scan, uint32_t object, void (*visit)(void *context, uint32_t pointee),
                            void *context);
bool table_each(Scan *scan, uint32_t object, void (*visit)(void *context, uint32_t pointee), void *context);

// opaque.c
const char *
opaque_asm(const char *text); // what of it is not followed, in words; NULL: nothing is known of it

// allocations.c
bool heap_is_call(const Scan *scan, const IrInst *inst); // or a release
// Undecided where it is used to order threads.
void heap_check_access(Scan *scan, const Access *access, uint32_t object);

// cluster_kind.c
void clusters_find(Scan *scan);

#endif
