// The state of the process, in one place: there is one machine, and a mutex lets one launch at a time use it.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "rt/machine/state.h"

Machine rt_machine;
RtLane *hgrd_lane;
pthread_mutex_t machine_one_launch = PTHREAD_MUTEX_INITIALIZER;
_Thread_local LaunchPlace machine_launch_place;
FiberPool machine_fibers;
CrashGuard machine_guard;
