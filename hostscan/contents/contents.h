// Shared by the files of hostscan/contents/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_CONTENTS_CONTENTS_H
#define HGRD_HOSTSCAN_CONTENTS_CONTENTS_H

#include "hostscan/contents.h"

// argument_sources.c
// `type` at byte `offset` of a parameter; 0 if it was not found.
ExprRef host_argument(HostScan *scan, const HostArguments *from, const IrFunction *kernel, uint32_t param,
                      uint32_t offset, IrType type);

// contents.c
// Is the array the same one in all rounds of the loop, and written in none?
bool host_is_steady(HostScan *scan, HostLoopPlace around, HostCell cell);
ExprRef host_unknown_element(HostScan *scan, HostCell cell, SrcLoc loc); // whatever it holds

// contents_kernel.c
typedef struct HostLaunchStore {
  uint32_t anchor;           // function that conditions are kept with
  ExprRef wrote;             // the store wrote the element
  ExprRef value;             // that it put there
  HostConditions conditions; // what holds then
  IndexList funcs;           // that say which thread it was
} HostLaunchStore;
typedef VEC(HostLaunchStore) HostLaunchStores;
bool host_stores_of_launch(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind, HostCell cell,
                           HostLoopPlace around, HostLaunchStores *out);

// handles.c
enum { HOST_FOREIGN_KERNEL = 1 }; // in place of an address: of a kernel that is in none of the files

#endif
