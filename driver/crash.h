// Our own mistakes end in one message that asks for a report, and exit status 4.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_CRASH_H
#define HGRD_DRIVER_CRASH_H

// Call first: sets the bug hook and handlers for signals that mean a crash.
void crash_guard_process(void);
// Call at the start of each thread: a handler needs a stack of its own when the thread's is full.
void crash_guard_thread(void);

#endif
