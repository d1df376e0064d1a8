// Shared by symeval.c and symeval_floats.c only.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_SYMEVAL_INTERNAL_H
#define HGRD_CORE_SYMEVAL_INTERNAL_H

#include "core/expr.h"

// symeval_floats.c: 0 where not all operands are constants, or it is left as a function of them.
// "fadd", "fcmp_olt", "fptosi" and the like, on operands of `bits` bits.
ExprRef symeval_fold_floats(ExprPool *pool, const char *name, uint8_t bits, uint8_t width, uint32_t count,
                            const ExprRef *args);
// The 64 bits of an integer as a floating-point number.
ExprRef symeval_fold_integer(ExprPool *pool, bool is_signed, uint8_t width, ExprRef number);
// A function of math.h, or the intrinsic of its name.
ExprRef symeval_fold_function(ExprPool *pool, const char *name, uint8_t width, uint32_t count,
                              const ExprRef *args);

#endif
