// A kernel under a launch, as a task whose outcome may be known from an earlier run.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_KERNEL_CACHE_H
#define HGRD_DRIVER_KERNEL_CACHE_H

#include "driver/workers.h"

typedef struct KernelEntry {
  const CheckPlan *plan;
  const CheckTask *task;
  Arena *arena;
  const char *launch; // as bytes (core/launch_codec.h)
  size_t length;
  Digest key;
  bool is_kept; // there is a cache, and the key is complete
} KernelEntry;

typedef struct LaunchCopy { // a copy that knows nothing of the rest of the program
  const LaunchContext *launch;
  ExprPool *pool;
} LaunchCopy;

KernelEntry kernel_cache_entry(const CheckPlan *plan, const CheckTask *task, uint32_t arch, Arena *arena);
LaunchCopy kernel_cache_launch(KernelEntry *kept);
// The result for the task's own launch, in `results`; NULL: not known.
KernelResult *kernel_cache_find(const KernelEntry *kept, Arena *results);
// The same of what was found under the copy of the launch.
KernelResult *kernel_cache_put(const KernelEntry *kept, const LaunchCopy *launch, KernelResult *result,
                               Arena *results);

#endif
