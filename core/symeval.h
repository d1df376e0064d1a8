// One IR instruction without memory or control effects, on symbolic operands: what both scanners share.
// Words are expressions; pointers and aggregates are the callers' business.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_SYMEVAL_H
#define HGRD_CORE_SYMEVAL_H

#include "core/expr.h"
#include "core/ir.h"

// The expression of ARITH, COMPARE, CAST (between words), SELECT and PURE on `operands` (each of its type's
// width, see symeval_width). 0 if the instruction is none of these or an operand is 0. Floating-point
// operations become pure functions of their operands' bits; PURE smin, smax, umin, umax and abs of integers
// are exact expressions. Pointers that the caller keeps as 64-bit words may be compared, selected and cast.
ExprRef symeval_inst(ExprPool *pool, const IrModule *module, const IrFunction *function, const IrInst *inst,
                     const ExprRef *operands);
// ARITH, COMPARE, CAST, SELECT, PURE: what is made of nothing but its operands.
bool symeval_is_symbolic(IrOp op);
// The operation on words that gives the same value as this one of the IR; EXPR_NONE: there is none.
ExprOp symeval_word_op(IrOp op);
// Bits of a word of this type: INT and FLOAT their bits, PTR 64, others 0.
uint8_t symeval_width(IrType type);
// Condition that integer a stands in this relation to b; 0: it is no relation of integers.
ExprRef symeval_compare(ExprPool *pool, IrPred pred, ExprRef a, ExprRef b);
ExprRef symeval_const(ExprPool *pool, const IrConst *constant); // 0 for undef, pointers and aggregates

// symeval_floats.c
// The number that a constant of 32 or 64 bits is in floating point; false: it is no constant, none, infinite, or too small to be normal.
bool symeval_float_value(const ExprPool *pool, ExprRef ref, uint8_t bits, double *number);
// Does a function of one of these names do this, as "floorf" and "llvm.floor.f32" do "floor"?
bool symeval_is_function(const char *name, const char *function);

#endif
