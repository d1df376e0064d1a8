// A kernel under a launch, as a task whose outcome may be known from an earlier run.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_KEPT_H
#define HGRD_DRIVER_KEPT_H

#include "driver/workers.h"

typedef struct KeptTask {
  const CheckPlan *plan;
  const CheckTask *task;
  Arena *arena;
  const char *launch; // as bytes (core/launch_codec.h)
  size_t length;
  Digest key;
  bool is_kept; // there is a cache, and the key is complete
} KeptTask;

typedef struct KeptLaunch { // a copy that knows nothing of the rest of the program
  const LaunchContext *launch;
  ExprPool *pool;
} KeptLaunch;

KeptTask kept_task(const CheckPlan *plan, const CheckTask *task, uint32_t arch, Arena *arena);
KeptLaunch kept_launch(KeptTask *kept);
// The result for the task's own launch, in `results`; NULL: not known.
KernelResult *kept_find(const KeptTask *kept, Arena *results);
// The same of what was found under the copy of the launch.
KernelResult *kept_keep(const KeptTask *kept, const KeptLaunch *launch, KernelResult *result, Arena *results);

#endif
