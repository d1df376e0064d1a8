// A floating-point computation whose result is an integer or a truth, as floats_exact.c and float_trials.c look at it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_KERNELSCAN_FACTS_FLOATS_EXACT_H
#define HGRD_KERNELSCAN_FACTS_FLOATS_EXACT_H

#include "kernelscan/facts/facts.h"

enum { FLOATS_DEPTH = 10 }; // how far a computation is followed

typedef enum Rounding { TO_ZERO, DOWN, UP, TO_EVEN } Rounding;
typedef struct Whole {
  ExprRef operand;
  uint8_t bits;  // of the operand
  uint8_t width; // of the integer
  bool is_unsigned;
  Rounding rounding;
} Whole;

typedef struct Compared {
  ExprRef ref, left, right;
  uint8_t bits;
  char kind; // '<', 'l' for at most, '='
} Compared;

static inline ExprRef floats_as_word(ExprPool *pool, ExprRef ref, const Whole *w) {
  return w->is_unsigned ? expr_resize_unsigned(pool, ref, 64) : expr_resize_signed(pool, ref, 64);
}

// floats_exact.c
bool floats_any_constant(const ExprPool *pool, ExprRef ref, uint8_t bits, double *value);
bool floats_read_compared(const ExprPool *pool, ExprRef ref, Compared *c);
// float_trials.c
// What the computation (one of the two is NULL) comes to for all values of the one integer in it; kept, and asked for again and again.
void floats_add_tried(Scan *scan, Goal *goal, ExprRef ref, const Whole *w, const Compared *c);

#endif
