// The door of hostscan/names/: how one calls a value, a place of memory, a line: names as the user wrote them, with the chain of calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_NAMES_H
#define HGRD_HOSTSCAN_NAMES_H

#include "hostscan/scan.h"

// names.c
const char *host_clean_name(HostScan *scan, const char *name); // NULL if the name is none of the user's
const char *host_name_of_value(HostScan *scan, const HostFrame *frame,
                               IrRef ref); // "n", "m->rows"; never NULL
const char *host_name_of_content(HostScan *scan, const HostFrame *frame, IrRef address); // of what lies there
void host_note_name(HostScan *scan, ExprRef value, const char *name, bool is_of_loop, SrcLoc loc);
const char *host_name_of_load(HostScan *scan, const HostFrame *frame, IrRef load);
const char *host_name_of_allocation(HostScan *scan, const HostFrame *frame, const IrInst *call);
const char *host_display_name(const IrFunction *function);
const char *host_name_of_callee(HostScan *scan,
                                const IrInst *call); // without arguments of templates; NULL: none is named

// locations.c
bool host_is_library(const char *display_name); // of the CUDA runtime or the standard library
bool host_is_run_unseen(
    const HostFunction *function); // by code that is not seen, as a thread of the host does
SrcLoc host_append_chain(HostScan *scan, SrcLoc loc, const SrcLoc *rest); // called at `rest`
SrcLoc host_loc(HostScan *scan, const HostFrame *frame,
                const IrInst *inst); // with the call chain of the frame

#endif
