// Shared by the files of hostscan/facts/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HOSTSCAN_FACTS_FACTS_H
#define HGRD_HOSTSCAN_FACTS_FACTS_H

#include "hostscan/facts.h"

// facts.c
// What holds after the call, after the step into the block from its dominator, after the call through a
// pointer.
const IndexList *host_facts_of_call(HostScan *scan, HostFrame *frame, uint32_t inst);
const IndexList *host_facts_of_step(HostScan *scan, HostFrame *frame, uint32_t block);
const IndexList *host_facts_of_frame(HostScan *scan, HostFrame *frame);
// The instruction of `block` from which on nothing is sure to be over on the way to `next` below it.
uint32_t host_facts_limit(const HostFrame *frame, uint32_t block, uint32_t next);

// loop_checks.c
// Of a symbol for a variable of a loop: what a round tests of a value before it becomes the variable's.
void host_loop_checks_say(HostScan *scan, uint32_t sym);

// in_doubt.c
// Says what it hangs on, among the doubts of the launch, if the number need not be what a witness takes it for. What it was before
// (which matters as well), or 0.
ExprRef host_doubts_say(HostScan *scan, const HostFrame *frame, uint32_t inst, uint32_t sym,
                        LaunchContext *launch);

// Likewise of the functions in what the launch is given: what the stores of a loop left at a place.
void host_doubts_of_functions(HostScan *scan, LaunchContext *launch);

// given.c
// Does the number come from outside of the program, so that a run has any that it may be?
bool host_is_given_number(HostScan *scan, uint32_t sym);
// Is it read from the text that `before` is read from, by another call? Then it is no choice of its own.
bool host_is_read_again(HostScan *scan, uint32_t sym, uint32_t before);

// sizes.c
// What holds of the sizes that an instruction uses, once it has been executed.
void host_sizes_say(HostScan *scan, HostFrame *frame, uint32_t inst, HostConditions *out);
// What is said of the numbers in a dimension of a launch.
void host_sizes_say_count(ExprPool *pool, Arena *arena, ExprRef count, HostConditions *out);

#endif
