// Shared by the files of hostscan/program/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_PROGRAM_PROGRAM_H
#define HGRD_HOSTSCAN_PROGRAM_PROGRAM_H

#include "hostscan/program.h"

// model.c
HostFunction *host_find_function(HostScan *scan, const char *name); // with a body; NULL if none

// sized_calls.c
bool host_uses_sizes(HostScan *scan, const IrInst *inst);

// captures.c
// Does the function let the address out that is in `slot` (an instruction, or behind them a parameter)?
bool host_lets_out(HostScan *scan, HostFunction *function, uint32_t slot);

// globals.c
bool host_is_handed_global(
    HostScan *scan, uint32_t index); // its address is kept somewhere, or given to calls that work later

#endif
