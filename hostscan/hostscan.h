// Host code in, launch contexts out: for every launch, its dimensions, arguments and the facts that hold
// whenever it happens (HGRD paper, sections 4, 5.1 and 6.3), as expressions in one pool.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_H
#define HGRD_HOSTSCAN_H

#include "core/diag.h"
#include "core/ir.h"
#include "core/launch.h"

typedef struct HostScanOptions {
  bool has_main;          // closed world: functions with visible callers are reached only through them (A5)
  uint32_t context_limit; // most contexts for one launch; 0 = 64
  // Fixed dimensions from the command line for kernels without a visible launch; 0 = not given.
  int64_t grid_dim[3], block_dim[3];
  // Must `claim` hold wherever the facts do? For relations between members of a class, which are then facts
  // of the launches. NULL: none are looked for.
  bool (*prove)(void *context, ExprPool *pool, uint32_t count, const ExprRef *facts, ExprRef claim);
  void *prove_context;
} HostScanOptions;

typedef struct HostLauncher { // device code that launches a kernel, and may write to memory before
  const char *kernel;         // mangled name; NULL: it may be any
  const char *who;            // in words
} HostLauncher;

typedef struct HostScanResult {
  ExprPool *pool;
  VEC(LaunchContext *) launches; // in source order; kernels without a launch are not in it
  VEC(const char *) followed; // mangled names of kernels all of whose launches in device code are among them
  VEC(HostLauncher) launchers;
} HostScanResult;

// `host` has been brought to form by frontend_load (functions on the way to launches inlined). `device` gives
// kernel signatures; either may be NULL. Never fails: what is not understood stands in
// LaunchContext.undecided.
HostScanResult *hostscan_run(const IrModule *host, uint32_t device_count, const IrModule *const *device,
                             const HostScanOptions *options, Arena *arena, DiagSink *sink);

// Are the launches of the kernel in device code, if there are any, among those of the result?
bool hostscan_follows(const HostScanResult *result, const IrFunction *kernel);

// A context for a kernel without a visible launch: any dimensions (or those of the options), any arguments.
LaunchContext *hostscan_any_launch(ExprPool *pool, const IrModule *device, const IrFunction *kernel,
                                   const HostScanOptions *options, Arena *arena);

// Of a kernel that device code launches, and a launch like that: of what it finds in memory nothing is taken for granted, if who launches
// it may write there.
void hostscan_doubt_memory(const HostScanResult *result, const IrModule *device, const IrFunction *kernel,
                           LaunchContext *launch, Arena *arena);

// --dump=host: one context, readable: dimensions, arguments, objects, facts with class and line.
void hostscan_print(const ExprPool *pool, const LaunchContext *launch, StrBuf *out);

#endif
