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

// devices.c
typedef struct HostBetween { // two instructions of a function: on the ways
  bool has_first, has_last;  // from the first one, to the last one; else from its start, to its end
  uint32_t first, last;
} HostBetween;
// Asks of the ways from the launch to the operation at `inst`, in each function of both chains of calls, until one says true.
typedef bool HostBetweenAsked(void *context, HostFrame *frame, HostBetween between);
bool host_any_between(const HostKernelFill *fill, HostFrame *frame, uint32_t inst, HostBetweenAsked *asked,
                      void *context);
// May it be done on such a way, by a call of a function with a body as well? The function is asked what a call without a body does.
bool host_does_in(HostScan *scan, HostFunction *function, HostBetween between, HostDoing doing);
bool host_call_does(HostScan *scan, const IrInst *call, HostDoing doing);
bool host_may_be_between(HostScan *scan, HostFunction *function, HostBetween between, uint32_t inst);
bool host_names_devices(HostScan *scan); // does the program choose devices?
// May another device be made current between the launch and the operation at `inst`?
bool host_device_may_change(HostScan *scan, const HostKernelFill *fill, HostFrame *frame, uint32_t inst);

// steady.c
// Is the array the same one in all rounds of the loop, and written in none?
bool host_is_steady(HostScan *scan, HostLoopPlace around, HostCell cell);

// stream_order.c
// Is it a copy in the default stream that is over when the call comes back?
bool host_waits_by_copy(HostScan *scan, HostFrame *frame, uint32_t inst);

// waits.c
// Does whatever comes later, in any stream, wait for what is put into this one?
bool host_is_in_order_with_all(HostScan *scan, ExprRef stream);

#endif
