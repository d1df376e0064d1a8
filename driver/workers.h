// Checks kernels under launches, several at a time. Results do not depend on how many workers there are.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_WORKERS_H
#define HGRD_DRIVER_WORKERS_H

#include "cache/cache.h"
#include "kernelscan/kernelscan.h"
#include "driver/doubts.h"
#include "driver/options.h"
#include "driver/progress.h"

// By how many halvings of a budget one more instance of a template gets less than the first (families.h).
typedef struct Allowance {
  uint32_t all;          // of what all of it may take
  uint32_t rest;         // of what may be spent on further races once one is told
  uint32_t missing_fact; // of what may be spent on the fact that is missing
} Allowance;

// One kernel under one launch.
typedef struct CheckTask {
  const IrModule *module;
  const Digest *module_digest; // of all of it; NULL: not known, and nothing is kept
  const IrFunction *kernel;
  const LaunchContext *launch;
  TaskDoubts doubts;
  Allowance allowance;        // filled in (families.h)
  const KernelResult *result; // filled in; lives in the queue's workers
  const char *dump;           // filled in when a stage is dumped
} CheckTask;

typedef struct CheckPlan {
  uint32_t task_count;
  CheckTask *tasks;
  const ExprPool *pool; // of all launches; each task works on a copy of what it needs
  Cache *cache;         // NULL: nothing is kept
  uint32_t arch;        // 0: the module's
  bool warn_same_value, warn_leaving;
  bool check_overflow;
  MemoryModel memory_model;
  bool audit_flags;
  uint64_t audit_steps; // KernelScanOptions
  DumpStage dump;       // KERNEL, PAIRS, GOALS or SMT, else nothing is dumped
  bool shows_times;     // what each goal of the dump took
  double deadline;      // of CLOCK_MONOTONIC, in seconds; 0: none
  uint32_t workers;
  Progress progress;
} CheckPlan;

typedef struct CheckRun CheckRun; // owns the results

// As many as there are cores.
uint32_t workers_for_cores(void);

// Returns when all tasks are done, or on SIGINT or SIGTERM (`*interrupted`) or at the deadline
// (`*out_of_time` besides): then tasks that were not done have a result that says so, workers may still be
// running, and *run must not be closed.
CheckRun *workers_check(const CheckPlan *plan, bool *interrupted, bool *out_of_time);
void workers_close(CheckRun *run);

#endif
