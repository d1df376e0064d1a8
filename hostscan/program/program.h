// Shared by the files of hostscan/program/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_PROGRAM_PROGRAM_H
#define HGRD_HOSTSCAN_PROGRAM_PROGRAM_H

#include "hostscan/program.h"

// calls.c
// By mangled or C name; never NULL. Knows nothing of functions of the module.
const HostCall *host_call_by_name(const char *name);
// Does it call functions that the program has handed to MPI_Op_create, if it has?
bool host_call_may_run_program(const HostCall *call);
bool host_call_is_launch(HostCallKind kind); // but for those by a pointer to a stub

// model.c
HostFunction *host_find_function(HostScan *scan, const char *name); // with a body; NULL if none

// sized_calls.c
bool host_uses_sizes(HostScan *scan, const IrInst *inst);

// captures.c
// Does the function let the address out that is in `slot` (an instruction, or behind them a parameter)?
bool host_lets_out(HostScan *scan, HostFunction *function, uint32_t slot);

#endif
