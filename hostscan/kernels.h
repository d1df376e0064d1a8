// The door of hostscan/kernels/: the kernels that are launched and what they do to what they are given; which calls launch one, and when it runs.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_KERNELS_H
#define HGRD_HOSTSCAN_KERNELS_H

#include "hostscan/scan.h"

// kernels.c
const HostKernelUse *host_kernel_use(HostScan *scan, const IrFunction *kernel); // made once
bool host_is_child_launch(const IrInst *inst); // of device code: a launch of a kernel that has a name there
// May the kernel write the variable of the device by its name?
bool host_kernel_writes_variable(const HostKernelUse *use, const char *name);

// kernel_params.c
// Sizes of the integers that the kernel reads out of the parameter itself at places that it computes.
uint8_t host_reads_table(const IrFunction *kernel, uint32_t param);
// The bytes of the parameter between which it reads all pointers at places that it computes, each inside the array that
// its type declares (A7); false: that is not known of all pointers that may lie there, or there are none.
bool host_table_extent(const IrFunction *kernel, uint32_t param, int64_t *low, int64_t *high);
typedef struct HostPiece {
  uint32_t offset;
  IrType type;
  const char *place; // what the kernel calls it, "params.rows[1]"; NULL if it has no name
} HostPiece;
typedef VEC(HostPiece) HostPieces;
// What a kernel reads of a parameter passed by value, ascending, without overlaps.
void host_kernel_pieces(Arena *arena, const IrFunction *kernel, uint32_t param, HostPieces *pieces);
// Does the kernel compare this parameter, or what may be it, with null? Then it may be null, if nothing is
// known of it.
bool host_tests_null(const IrFunction *kernel, uint32_t param);
bool host_tests_null_read(const IrFunction *kernel); // or what it has read from memory
// The kernel of this (mangled) name, with a body; NULL: there is none.
const IrFunction *host_find_kernel(const HostScan *scan, const char *name);

// launch_calls.c
// Is this call a launch? Indirect calls count if a push that no stub used comes before.
bool host_is_launch(HostScan *scan, HostFunction *function, uint32_t inst, HostCallKind *kind);
// The push whose configuration a stub call uses; NULL if another launch took it, or none is near.
const IrInst *host_find_push(HostScan *scan, HostFunction *function, uint32_t launch);

// deferred.c
// May what is put into the stream become part of a graph, which runs at another time than the call?
bool host_may_be_captured(HostScan *scan, ExprRef stream);
bool host_is_default_stream(HostScan *scan, ExprRef stream); // 0, or cudaStreamLegacy
// Is the launch at `inst`, into `stream` (0: not known), put into a graph, or may it be? Then it is made later, any
// number of times.
bool host_is_deferred(HostScan *scan, const HostFrame *frame, uint32_t inst, ExprRef stream);

// variables.c
// The host's module with the variables of the device that have to be followed and that its text does not mention.
const IrModule *host_with_variables(Arena *arena, const IrModule *host, uint32_t count,
                                    const IrModule *const *device);

#endif
