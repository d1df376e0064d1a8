// The door of kernelscan/proofs/: what was refuted, which is not asked again, and what the proof leaned on.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_PROOFS_H
#define HGRD_KERNELSCAN_PROOFS_H

#include "kernelscan/query.h"

// The conditions of a goal that cannot hold together, sorted; bits: a few of them, to compare quickly.
typedef struct Refuted {
  uint32_t count;
  const ExprRef *conditions;
  uint64_t bits;
} Refuted;

// proofs.c
Refuted proofs_of(Scan *scan, const Goal *goal);          // before the goal is asked
bool proofs_cover(const Scan *scan, const Refuted *goal); // a part of it was refuted already
void proofs_keep(Scan *scan, Refuted proof);

// refuted.c
// Refuted: what the refutation leans on is listed with the kernel's proof.
bool proofs_is_refuted(Scan *scan, const SolverAnswer *answer);
// The conditions cannot hold together: asked first of those that say nothing of the host's values.
bool proofs_cannot_hold(Scan *scan, Goal *goal, const char *name);
// What the proof leaned on belongs to the kernel's result.
void proofs_keep_leaning(Scan *scan, const SolverAnswer *answer);
// The goal without what speaks of the host's values: for questions that hang on numbers of threads and
// blocks.
Goal proofs_lean_goal(Scan *scan, const Goal *goal);
bool proofs_speaks_of_host(const ExprPool *pool, ExprRef condition);
bool proofs_is_of_launch(const ExprPool *pool, ExprRef value); // of nothing but what the host gives

#endif
