// Signals, and the end of the time, while files are read.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_DRIVER_EARLY_WATCH_H
#define HGRD_DRIVER_EARLY_WATCH_H

#include <stdbool.h>

// From here to early_watch_end, SIGINT, SIGTERM and the deadline (of CLOCK_MONOTONIC, in seconds; 0: none)
// call `report` on a thread of its own, which then ends the process with the status that it returns; the
// caller goes no further. `report` may not use what the caller works on.
typedef struct EarlyWatch EarlyWatch;
EarlyWatch *early_watch_begin(double deadline, int (*report)(void *context, bool is_out_of_time),
                              void *context);
void early_watch_end(EarlyWatch *watch); // NULL: nothing

#endif
