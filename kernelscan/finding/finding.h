// Shared by the files of kernelscan/finding/ only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FINDING_FINDING_H
#define HGRD_KERNELSCAN_FINDING_FINDING_H

#include "kernelscan/finding.h"

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
void report_name_rule(Scan *scan, Finding *finding);
void report_hint_of_cause(Scan *scan, Finding *finding); // as a note

// The checks, by name.
#define MISUSE(check) void misuse_##check(Scan *scan);
#include "kernelscan/finding/misuse.def"
#undef MISUSE

#endif
