// Which words are put together from the pieces of one other word, in their old places? The members of a
// struct are often kept as bytes and bit fields of larger words:
//   %a = trunc i8 %mask ... %b = lshr i32 %mask, 24 ... %whole = or i32 (and i32 %x, 16777215), (shl i32 %b,
//   24)
// or as parts of larger structs. Method: for each bit of a word that was made by `or` or taken out of a
// struct, it is looked for backwards where it comes from, through shifts by numbers, masks, casts and pieces
// of structs. A word whose bits all come from one word, each from its own place, is that word; one whose bits
// are all known is a number. Soundness: exact, but for bits that nobody has written (undef), which are taken
// for zero: the program means none of them.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"

enum { STEP_LIMIT = 20000, DEPTH_LIMIT = 400, WORD_BITS = 64 };

typedef enum BitKind { BIT_NUMBER, BIT_OF } BitKind;
typedef struct Bit {
  BitKind kind;
  IrRef of;    // BIT_OF
  uint32_t at; // its place; BIT_NUMBER: 0 or 1
} Bit;

typedef struct Search {
  const IrModule *module;
  const IrFunction *fn;
  uint32_t steps;
} Search;

static Bit find_bit(Search *search, IrRef ref, uint32_t at, int depth);

static Bit number(uint32_t bit) {
  return (Bit){BIT_NUMBER, 0, bit};
}

static bool is_number(Bit bit, uint32_t value) {
  return bit.kind == BIT_NUMBER && bit.at == value;
}

static uint32_t bits_of(const Search *search, IrRef ref) {
  IrType type = ir_ref_type(search->module, search->fn, ref);
  return type.kind == IR_INT     ? type.bits
         : type.kind == IR_PTR   ? 64
         : type.kind == IR_BYTES ? type.bytes * 8
                                 : 0;
}

static bool constant_bit(const Search *search, IrRef ref, uint32_t at, Bit *bit) {
  int64_t value = 0;
  if (ir_const_value(search->fn, ref, &value) && at < WORD_BITS) {
    *bit = number((uint32_t)((uint64_t)value >> at & 1));
    return true;
  }
  if (ir_ref_kind(ref) != IR_REF_CONST) return false;
  const IrConst *constant = &search->fn->consts.items[ir_ref_index(ref)];
  bool is_zero = constant->is_undef || (constant->type.kind == IR_BYTES && !constant->bits);
  if (is_zero) *bit = number(0);
  return is_zero;
}

// Of `a & b` and `a | b`; the operand that is a number says first.
static Bit combine(Search *search, const IrInst *inst, Bit self, uint32_t at, int depth) {
  uint32_t decides = inst->op == IR_AND ? 0 : 1;
  Bit one, two;
  bool is_swapped = constant_bit(search, inst->ops[1], at, &one);
  if (!is_swapped) one = find_bit(search, inst->ops[0], at, depth - 1);
  if (is_number(one, decides)) return one;
  two = find_bit(search, inst->ops[is_swapped ? 0 : 1], at, depth - 1);
  if (is_number(two, decides) || is_number(one, 1 - decides)) return two;
  if (is_number(two, 1 - decides)) return one;
  bool is_same = one.kind == BIT_OF && two.kind == BIT_OF && one.of == two.of && one.at == two.at;
  return is_same ? one : self;
}

static Bit shifted(Search *search, const IrInst *inst, Bit self, uint32_t at, int depth) {
  int64_t by = 0;
  uint32_t width = bits_of(search, inst->ops[0]);
  if (!ir_const_value(search->fn, inst->ops[1], &by) || by < 0 || by >= width) return self;
  if (inst->op == IR_SHL)
    return at < (uint32_t)by ? number(0) : find_bit(search, inst->ops[0], at - (uint32_t)by, depth - 1);
  return at + (uint32_t)by >= width ? number(0)
                                    : find_bit(search, inst->ops[0], at + (uint32_t)by, depth - 1);
}

// Of a cast: the same bit, or none that is there.
static Bit recast(Search *search, const IrInst *inst, Bit self, uint32_t at, int depth) {
  uint32_t width = bits_of(search, inst->ops[0]);
  if (inst->op == IR_TRUNC || inst->op == IR_PTRTOINT || inst->op == IR_INTTOPTR)
    return width && at < width ? find_bit(search, inst->ops[0], at, depth - 1) : self;
  if (inst->op != IR_ZEXT) return self;
  return at < width ? find_bit(search, inst->ops[0], at, depth - 1) : number(0);
}

// Of a word that was put together from pieces, or a piece of it.
static Bit of_piece(Search *search, const IrInst *inst, Bit self, uint32_t at, int depth) {
  if (!ir_inst_is(inst, IR_PIECE)) return self;
  uint32_t first = (uint32_t)inst->imm * 8;
  if (inst->op_count < 2) return find_bit(search, inst->ops[0], at + first, depth - 1);
  uint32_t piece = bits_of(search, inst->ops[1]);
  if (!piece) return self;
  return at >= first && at < first + piece ? find_bit(search, inst->ops[1], at - first, depth - 1)
                                           : find_bit(search, inst->ops[0], at, depth - 1);
}

static Bit find_bit(Search *search, IrRef ref, uint32_t at, int depth) {
  Bit self = {BIT_OF, ref, at};
  const IrInst *inst = ir_inst(search->fn, ref);
  if (constant_bit(search, ref, at, &self) || !inst || depth <= 0 || ++search->steps > STEP_LIMIT)
    return self;
  switch (ir_op_class((IrOp)inst->op)) {
  case IR_CLASS_ARITH:
    if (inst->op == IR_SHL || inst->op == IR_LSHR) return shifted(search, inst, self, at, depth);
    return inst->op == IR_AND || inst->op == IR_OR ? combine(search, inst, self, at, depth) : self;
  case IR_CLASS_CAST: return recast(search, inst, self, at, depth);
  case IR_CLASS_VALUE: return of_piece(search, inst, self, at, depth);
  case IR_CLASS_COMPARE:
  case IR_CLASS_MEMORY:
  case IR_CLASS_SYNC:
  case IR_CLASS_CALL:
  case IR_CLASS_TERM: break;
  }
  return self;
}

// What the word is as a whole; itself, if it is nothing else.
static IrRef whole_of(IrModule *module, IrFunction *fn, uint32_t index) {
  Search search = {module, fn, 0};
  IrRef ref = IR_REF(IR_REF_INST, index), of = 0;
  uint32_t width = fn->insts.items[index].type.bits;
  uint64_t value = 0;
  for (uint32_t i = 0; i < width; i++) {
    Bit bit = find_bit(&search, ref, i, DEPTH_LIMIT);
    if (search.steps > STEP_LIMIT) return ref;
    bool is_first = i == 0;
    if (bit.kind == BIT_NUMBER ? of != 0 : (!is_first && !of) || bit.at != i || (of && bit.of != of))
      return ref;
    if (bit.kind == BIT_NUMBER)
      value |= (uint64_t)bit.at << i;
    else
      of = bit.of;
  }
  if (of) {
    IrType type = ir_ref_type(module, fn, of);
    return type.kind == IR_INT && type.bits == width ? of : ref;
  }
  if (width < WORD_BITS && value >> (width - 1) & 1) value |= ~(uint64_t)0 << width;
  return ir_const_int(module, fn, (uint8_t)width, (int64_t)value);
}

void whole_words_settle(IrModule *module, IrFunction *fn) {
  uint32_t count = fn->insts.count;
  for (uint32_t i = 0; i < count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    bool is_word = inst->op == IR_OR || inst->op == IR_EXTRACT;
    if (!is_word || inst->type.kind != IR_INT || inst->type.bits < 8) continue;
    IrRef ref = IR_REF(IR_REF_INST, i), whole = whole_of(module, fn, i);
    for (uint32_t u = 0; whole != ref && u < count; u++)
      for (uint32_t o = 0; o < fn->insts.items[u].op_count; o++)
        if (fn->insts.items[u].ops[o] == ref)
          ((IrRef *)fn->insts.items[u].ops)[o] = whole; // the function's own
  }
}
