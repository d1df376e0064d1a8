// Kernel IR and a launch context in, verdict and findings out: which two accesses can meet without a barrier
// between them, and can they touch the same byte in two different threads. docs/soundness.md states what the
// answer means.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_H
#define HGRD_KERNELSCAN_H

#include "core/diag.h"
#include "core/finding.h"
#include "core/ir.h"
#include "solver/solver.h"

typedef struct KernelScanOptions {
  MemoryModel memory_model;
  uint32_t arch;                  // below 70: lanes of a warp run in lock step
  bool warn_same_value;           // same-value writes are warnings, not notes
  bool warn_leaving;              // likewise threads that have left the kernel where others wait at a barrier
  bool without_replay;            // for tests of the solver only
  uint64_t solver_units;          // that all goals of the kernel together may spend; 0 = the solver's default
  uint32_t rest_halvings;         // of what may be spent on further races once one is told
  uint32_t missing_fact_halvings; // of what may be spent on the fact that is missing
  bool audit_flags;         // also where flags are not zero (A11), since launches in view have left them so
  uint64_t audit_steps;     // proofs are compared with runs of so many steps (audit.c); 0: they are not
  StrBuf *dump_pairs;       // --dump=pairs, or NULL
  StrBuf *dump_goals;       // --dump=goals, or NULL
  double (*clock_ms)(void); // of this thread, for what each of these goals took; NULL: that is not shown
  StrBuf *dump_kernel;      // --dump=kernel: accesses, synchronisation points, loops
  StrBuf *dump_sync;        // --dump=sync: words, locks, waits, classes of threads, phases
} KernelScanOptions;

typedef struct KernelScanRequest {
  const IrModule *module;
  const IrFunction *kernel;
  const LaunchContext *launch;
  ExprPool *pool; // holds the launch's expressions; is extended
  Solver *solver;
  KernelScanOptions options;
} KernelScanRequest;

// The result lives in `arena`. What is not understood stands in result->undecided and keeps the verdict from
// being race-free; pairs that do not depend on it are decided all the same.
KernelResult *kernelscan_check(const KernelScanRequest *request, Arena *arena);

#endif
