// The same goal as a solver without our lemmas would be asked: over integers with real products, or over
// bit-vectors of the words' own width. For the comparison in tests/bench/solver_bench.c only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_BENCH_PLAIN_H
#define HGRD_BENCH_PLAIN_H

#include "solver/solver.h"

typedef enum PlainLogic { PLAIN_INTEGERS, PLAIN_WORDS } PlainLogic;

// SMT-LIB with (check-sat). Integers: no arithmetic wraps, masks are remainders; what has no such form (xor of two
// variables, shifts by variables) is any value.
void plain_print(const SolverGoal *goal, PlainLogic logic, StrBuf *out);

#endif
