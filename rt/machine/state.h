// What the machine keeps for the process beside rt_machine: the place of the next launch, of each host thread, the stacks that are free, and
// what faults meant before.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_MACHINE_STATE_H
#define HGRD_RT_MACHINE_STATE_H

#include "rt/machine/internal.h"
#include <pthread.h>
#include <signal.h>

typedef struct LaunchPlace {
  const char *file;
  uint32_t line;
} LaunchPlace;
extern _Thread_local LaunchPlace machine_launch_place;
extern pthread_mutex_t machine_one_launch;

typedef struct FiberPool {
  Fiber *free;
  uint32_t count;
} FiberPool;
extern FiberPool machine_fibers;

typedef struct CrashGuard {
  struct sigaction segv, bus, fpe, ill;
  stack_t before;
  unsigned char *stack;
} CrashGuard;
extern CrashGuard machine_guard;

#endif
