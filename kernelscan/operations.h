// The door of kernelscan/operations/: what one operation of the kernel is and does, by itself; which dimensions
// of the launch are looked at; what is not understood.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_OPERATIONS_H
#define HGRD_KERNELSCAN_OPERATIONS_H

#include "kernelscan/scan.h"

// operations.c
bool operation_is_leaving(const IrInst *inst); // arrive_and_drop
bool operation_is_arrival(const IrInst *inst);
bool operation_is_wait(const IrInst *inst);
// Does the copy complete on a barrier object (and is so in no group)?
bool operation_completes_on_object(const Scan *scan, const IrInst *copy);
// Is the copy done when the phase of a barrier object is complete?
bool operation_is_of_object(const Scan *scan, const Access *access);
IrScope operation_scope_needed(Extent extent);
IrScope operation_scope(const Scan *scan, const Access *access); // as an operation on a lock or flag
bool operation_is_strong(const Scan *scan, const Access *access);
// Does this write leave the value as it is (an atomic addition of 0, used as a read)?
bool operation_is_only_read(const Scan *scan, const Access *access);
// The value that a write stores, if it is one constant.
bool operation_stored_constant(const Scan *scan, const Access *access, int64_t *value);
bool operation_is_used(const Scan *scan, uint32_t inst); // its result, by any instruction
const Access *operation_access(const Scan *scan, uint32_t inst);
uint32_t operation_line(const Scan *scan, uint32_t inst);

// cluster_kind.c
void clusters_find(Scan *scan);                 // what the launch's clusters mean to the kernel; once
Clusters clusters_kind(const Scan *scan);       // after clusters_find
bool clusters_has_mapa(const Scan *scan);       // an address in shared memory of another block is made
bool clusters_is_operation(const IrInst *inst); // of cluster scope
// Of the barriers of this scope, which hold together?
IrScope clusters_point_scope(const Scan *scan, IrScope scope);

// dimensions.c
// Does the kernel look along the axis of this dimension, or do its clusters lie along it?
bool launch_looks_along(const Scan *scan, int index);
bool launch_dimension_matters(const Scan *scan, int index); // of LaunchContext.dimensions
// Has the dimension any extent although the kernel, of which no launch is seen, never looks along it?
bool launch_extent_is_free(const Scan *scan, int index);

// reasons.c
// A reason, at the place, why the kernel is not decided: it is no proof, whatever else is proved.
void scan_undecided(Scan *scan, uint32_t loc, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Likewise; `is_of_budget`: other reasons are told before it.
void scan_leave_open(Scan *scan, uint32_t loc, bool is_of_budget, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
