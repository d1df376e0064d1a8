// Shared by the files of kernelscan/finding/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FINDING_FINDING_H
#define HGRD_KERNELSCAN_FINDING_FINDING_H

#include "kernelscan/finding.h"
#include "kernelscan/ways.h"

typedef struct Misuse {
  FindingRule rule;
  Certainty certainty;
  const char *cause;
  uint32_t inst;
  const SrcLoc *second; // or NULL
  const char *message;
} Misuse;

// misuse.c
void misuse_report(Scan *scan, const Misuse *misuse); // once for a place

// race_finding.c
// Its cause's rule, under the memory model of the run.
void finding_name_rule(Scan *scan, Finding *finding);
void finding_hint_of_cause(Scan *scan, Finding *finding); // as a note

// exact.c
// What does a condition speak of, besides the thread's numbers, the launch and (`with_host`) values of the host?
typedef enum Speaks { SPEAKS_OF_NOTHING_ELSE, SPEAKS_OF_MEMORY, SPEAKS_OF_UNKNOWN } Speaks;
Speaks exact_speaks_of(const Scan *scan, ExprRef ref, bool with_host);
// The condition on the way to the block, and of the edge, if all of it is known, else 0.
ExprRef exact_condition(Frame *frame, uint32_t block);
ExprRef exact_edge(Frame *frame, uint32_t from, uint32_t to);
// Of the innermost loop around a block; those around it are in their first one.
typedef struct Round {
  uint32_t block, number;
} Round;
// The thread, in that round; in the first one of other loops around `block`.
Frame *exact_frame(Scan *scan, const View *view, uint32_t block, Round round);
// An operation of a warp whose first operand is the mask of who takes part; control can come to it.
bool exact_names_lanes(const Scan *scan, const IrInst *inst);

// The checks, by name.
#define MISUSE(check) void misuse_##check(Scan *scan);
#include "kernelscan/finding/misuse.def"
#undef MISUSE

#endif
