// How are values of a run of the block (blockrun.h) computed from each other? Numbers as the machine does;
// sums are added, subtracted, multiplied by numbers, and chosen by a condition that is a sum of 0 or 1; a
// ballot is 32 bits, each a sum of 0 or 1, which may be masked, turned over, shifted and counted. Whatever could leave the
// width of its word, or is of no such form, is an atom of its own: any value. In words of up to 16 bits a sum may
// be the unsigned reading (a count in a byte). Soundness: exact, or an atom.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/blockrun.h"

enum { PIECE_LIMIT = 24, ALIKE_DEPTH = 2 };

RunValue run_number(int64_t number) {
  return (RunValue){.kind = RUN_NUMBER, .number = number};
}

static RunValue unknown(void) {
  return (RunValue){.kind = RUN_UNKNOWN};
}

static void width_range(uint8_t width, int64_t *lo, int64_t *hi) {
  *hi = width == 1 ? 1 : (int64_t)(((uint64_t)1 << (width - 1)) - 1);
  *lo = width == 1 ? 0 : -*hi - 1; // not by a shift, which may not come to the sign
}

// ---- atoms
// There are as many classes as instructions and rounds, and each thread asks for all of them.
static uint32_t class_hash(uint32_t inst, uint32_t visit, bool is_vote) {
  uint32_t hash = (inst * 2654435761u ^ visit * 2246822519u) + is_vote;
  return hash ^ hash >> 15;
}

static uint32_t class_of(Runner *runner, uint32_t inst, uint32_t visit, bool is_vote) {
  BlockRun *run = runner->run;
  uint32_t hash = class_hash(inst, visit, is_vote);
  TableLook look = table_look(&runner->class_table, hash);
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    const AtomClass *known = &run->classes.items[number - 1];
    if (known->inst == inst && known->visit == visit && known->is_vote == is_vote) return number - 1;
  }
  Scan *scan = runner->scan;
  AtomClass made = {.inst = inst, .visit = visit, .is_vote = is_vote, .lo = 0, .hi = 1};
  if (!is_vote) {
    uint8_t width = symeval_width(scan->fn->insts.items[inst].type);
    width_range(width, &made.lo, &made.hi);
    ExprRef word = width > 1 ? frame_word(runner->any, IR_REF(IR_REF_INST, inst), width) : 0;
    if (word) expr_range(scan->pool, word, &made.lo, &made.hi);
  }
  vec_push(scan->arena, &run->classes, made);
  table_add(runner->arena, &runner->class_table, hash, run->classes.count);
  return run->classes.count - 1;
}

RunValue run_atom(Runner *runner, uint32_t inst, uint32_t thread, uint32_t visit, bool is_vote) {
  IrType type = runner->scan->fn->insts.items[inst].type;
  if (type.kind != IR_INT || visit == RUN_VISIT_OTHER) return unknown();
  uint32_t atom_class = class_of(runner, inst, visit, is_vote);
  const AtomClass *info = &runner->run->classes.items[atom_class];
  if (info->lo == info->hi) return run_number(info->lo);
  RunPiece *piece = arena_new(runner->arena, RunPiece);
  *piece = (RunPiece){atom_class, (uint16_t)thread, (uint16_t)(thread + 1), 1};
  RunSum *sum = arena_new(runner->arena, RunSum);
  *sum = (RunSum){0, info->lo, info->hi, 1, piece};
  return (RunValue){.kind = RUN_SUM, .sum = sum};
}

// ---- sums
static bool is_integer(RunValue value) {
  return value.kind == RUN_NUMBER || value.kind == RUN_SUM;
}

static RunSum as_sum(RunValue value) {
  if (value.kind == RUN_SUM) return *value.sum;
  return (RunSum){.constant = value.number, .least = value.number, .most = value.number};
}

typedef struct Builder {
  uint32_t count;
  bool is_full;
  RunPiece pieces[PIECE_LIMIT];
} Builder;

static void append(Builder *builder, RunPiece piece) {
  if (!piece.factor || piece.lo >= piece.hi) return;
  RunPiece *last = builder->count ? &builder->pieces[builder->count - 1] : NULL;
  if (last && last->atom_class == piece.atom_class && last->hi == piece.lo && last->factor == piece.factor) {
    last->hi = piece.hi;
    return;
  }
  if (builder->count == PIECE_LIMIT) {
    builder->is_full = true;
    return;
  }
  builder->pieces[builder->count++] = piece;
}

// The next piece of either list, cut where the other one begins or ends.
static void merge(Builder *out, const RunSum *a, const RunSum *b, int32_t b_factor) {
  uint32_t i = 0, j = 0;
  RunPiece one = a->count ? a->pieces[0] : (RunPiece){0}, two = b->count ? b->pieces[0] : (RunPiece){0};
  while (i < a->count || j < b->count) {
    bool has_one = i < a->count, has_two = j < b->count;
    bool one_first = has_one && (!has_two || one.atom_class < two.atom_class ||
                                 (one.atom_class == two.atom_class && one.lo < two.lo));
    bool two_first = has_two && (!has_one || two.atom_class < one.atom_class ||
                                 (one.atom_class == two.atom_class && two.lo < one.lo));
    RunPiece next = one_first || !two_first ? one : two;
    bool is_same_class = has_one && has_two && one.atom_class == two.atom_class;
    uint16_t end = next.hi;
    if (one_first && is_same_class && two.lo < end) end = two.lo;
    if (two_first && is_same_class && one.lo < end) end = one.lo;
    if (!one_first && !two_first) end = one.hi < two.hi ? one.hi : two.hi;
    next.hi = end;
    next.factor = (two_first ? 0 : one.factor) + (one_first ? 0 : b_factor * two.factor);
    append(out, next);
    if (!two_first && (one.lo = end) == one.hi && ++i < a->count) one = a->pieces[i];
    if (!one_first && (two.lo = end) == two.hi && ++j < b->count) two = b->pieces[j];
  }
}

static bool fits_signed(uint8_t width, int64_t least, int64_t most) {
  int64_t lo = 0, hi = 0;
  width_range(width, &lo, &hi);
  return lo <= least && most <= hi;
}

// Sums in short words may be their unsigned readings: who tells these apart looks at what they lie between.
static bool fits(uint8_t width, int64_t least, int64_t most) {
  bool is_short = width > 1 && width <= 16;
  return fits_signed(width, least, most) || (is_short && least >= 0 && most < (int64_t)1 << width);
}

// a + factor * b as a word; false: it may leave the width, or has too many pieces.
static bool combine(Runner *runner, uint8_t width, RunValue a, RunValue b, int32_t factor, RunValue *out) {
  RunSum one = as_sum(a), two = as_sum(b), sum = {0};
  int64_t low = factor < 0 ? two.most : two.least, high = factor < 0 ? two.least : two.most, part = 0;
  if (__builtin_mul_overflow(low, factor, &part) || __builtin_add_overflow(one.least, part, &sum.least) ||
      __builtin_mul_overflow(high, factor, &part) || __builtin_add_overflow(one.most, part, &sum.most) ||
      __builtin_mul_overflow(two.constant, factor, &part) ||
      __builtin_add_overflow(one.constant, part, &sum.constant) || !fits(width, sum.least, sum.most))
    return false;
  Builder builder = {0};
  merge(&builder, &one, &two, factor);
  if (builder.is_full) return false;
  if (!builder.count) {
    *out = run_number(sum.constant);
    return fits_signed(width, sum.constant, sum.constant);
  }
  sum.count = builder.count;
  sum.pieces = arena_copy(runner->arena, builder.pieces, builder.count * sizeof(RunPiece));
  RunSum *made = arena_new(runner->arena, RunSum);
  *made = sum;
  *out = (RunValue){.kind = RUN_SUM, .sum = made};
  return true;
}

static bool is_truth(RunValue value) {
  RunSum sum = as_sum(value);
  return is_integer(value) && sum.least >= 0 && sum.most <= 1;
}

static bool same_sum(const RunSum *a, const RunSum *b) {
  return a->constant == b->constant && a->count == b->count &&
         (!a->count || memcmp(a->pieces, b->pieces, a->count * sizeof(RunPiece)) == 0);
}

bool run_same(RunValue a, RunValue b) {
  if (a.kind != b.kind) return false;
  if (a.kind == RUN_NUMBER) return a.number == b.number;
  if (a.kind == RUN_SUM) return same_sum(a.sum, b.sum);
  return a.kind == RUN_POINTER && a.object == b.object && a.object && !a.is_somewhere && !b.is_somewhere &&
         a.number == b.number;
}

// ---- ballots
static RunValue shifted_bits(Runner *runner, RunValue value, int64_t down) {
  const RunSum **bits = arena_array(runner->arena, 32, const RunSum *);
  uint32_t constant = 0;
  for (int64_t i = 0; i < 32; i++) {
    int64_t from = i + down;
    if (from < 0 || from > 31) continue;
    bits[i] = value.bits[from];
    constant |= (uint32_t)(value.number >> from & 1) << i;
  }
  return (RunValue){.kind = RUN_BITS, .number = constant, .bits = bits};
}

static RunValue masked_bits(Runner *runner, RunValue value, int64_t mask) {
  const RunSum **bits = arena_array(runner->arena, 32, const RunSum *);
  for (int i = 0; i < 32; i++)
    if (mask >> i & 1) bits[i] = value.bits[i];
  return (RunValue){.kind = RUN_BITS, .number = value.number & mask, .bits = bits};
}

// The bits of the mask turned over, or set.
static bool changed_bits(Runner *runner, RunValue value, int64_t mask, bool is_set, RunValue *out) {
  const RunSum **bits = arena_array(runner->arena, 32, const RunSum *);
  for (int i = 0; i < 32; i++)
    bits[i] = is_set && mask >> i & 1 ? NULL : value.bits[i];
  for (int i = 0; i < 32 && !is_set; i++) {
    RunValue turned;
    if (!(mask >> i & 1) || !bits[i]) continue;
    RunValue bit = {.kind = RUN_SUM, .sum = bits[i]};
    if (!combine(runner, 32, run_number(1), bit, -1, &turned) || turned.kind != RUN_SUM) return false;
    bits[i] = turned.sum;
  }
  int64_t number = is_set ? value.number | mask : value.number ^ mask;
  for (int i = 0; i < 32; i++)
    if (bits[i]) number &= ~((int64_t)1 << i);
  *out = (RunValue){.kind = RUN_BITS, .number = (uint32_t)number, .bits = bits};
  return true;
}

// How many bits are set.
static bool count_bits(Runner *runner, RunValue value, RunValue *out) {
  *out = run_number(0);
  for (int i = 0; i < 32; i++) {
    RunValue bit = run_number(value.number >> i & 1);
    if (value.kind == RUN_BITS && value.bits[i]) bit = (RunValue){.kind = RUN_SUM, .sum = value.bits[i]};
    if (!combine(runner, 32, *out, bit, 1, out)) return false;
  }
  return true;
}

// A ballot's bit alone, `ballot & 1`.
static bool only_bit(RunValue bits, RunValue *out) {
  for (int i = 1; i < 32; i++)
    if (bits.bits[i] || bits.number >> i & 1) return false;
  *out = bits.bits[0] ? (RunValue){.kind = RUN_SUM, .sum = bits.bits[0]} : run_number(bits.number & 1);
  return true;
}

// ---- operations
static bool arith(Runner *runner, const IrInst *inst, uint8_t width, const RunValue *v, RunValue *out) {
  if (inst->op == IR_AND && (v[0].kind == RUN_BITS || v[1].kind == RUN_BITS)) {
    RunValue bits = v[0].kind == RUN_BITS ? v[0] : v[1], mask = v[0].kind == RUN_BITS ? v[1] : v[0];
    if (mask.kind != RUN_NUMBER) return false;
    *out = masked_bits(runner, bits, mask.number);
    only_bit(*out, out);
    return true;
  }
  bool is_first = v[0].kind == RUN_BITS;
  if ((inst->op == IR_XOR || inst->op == IR_OR) && v[is_first ? 0 : 1].kind == RUN_BITS &&
      v[is_first ? 1 : 0].kind == RUN_NUMBER)
    return changed_bits(runner, v[is_first ? 0 : 1], v[is_first ? 1 : 0].number, inst->op == IR_OR, out);
  if (v[0].kind == RUN_BITS && v[1].kind == RUN_NUMBER && v[1].number >= 0 && v[1].number < 32 &&
      (inst->op == IR_SHL || inst->op == IR_LSHR)) {
    *out = shifted_bits(runner, v[0], inst->op == IR_SHL ? -v[1].number : v[1].number);
    return true;
  }
  if (!is_integer(v[0]) || !is_integer(v[1])) return false;
  bool one_number = v[0].kind == RUN_NUMBER, two_number = v[1].kind == RUN_NUMBER;
  RunValue zero = run_number(0), other = one_number ? v[1] : v[0];
  int64_t number = one_number ? v[0].number : v[1].number;
  bool is_small = number > -65536 && number < 65536;
  RunSum sum = as_sum(other);
  if (inst->op == IR_ADD) return combine(runner, width, v[0], v[1], 1, out);
  if (inst->op == IR_SUB) return combine(runner, width, v[0], v[1], -1, out);
  if (inst->op == IR_MUL)
    return (one_number || two_number) && is_small &&
           combine(runner, width, zero, other, (int32_t)number, out);
  if (inst->op == IR_SHL)
    return two_number && number >= 0 && number < 16 &&
           combine(runner, width, zero, v[0], (int32_t)1 << number, out);
  if (inst->op == IR_XOR)
    return number == 1 && is_truth(other) && combine(runner, width, run_number(1), other, -1, out);
  *out = other; // all bits that it may have
  return inst->op == IR_AND && (one_number || two_number) && sum.least >= 0 && number > 0 &&
         ((uint64_t)number & ((uint64_t)number + 1)) == 0 && sum.most <= number;
}

// ---- what is computed twice
// A comparison with a constant: whether the value is below it, or equal to it, or (`is_not`) that it is not.
typedef struct Threshold {
  IrRef value;
  int64_t constant;
  bool is_equality, is_unsigned, is_not;
} Threshold;

static bool read_threshold(const Scan *scan, const IrInst *inst, Threshold *of) {
  if (inst->op != IR_ICMP) return false;
  IrPred pred = (IrPred)inst->pred;
  bool is_strict = pred == IR_SLT || pred == IR_ULT || pred == IR_SGE || pred == IR_UGE;
  *of = (Threshold){.value = inst->ops[0],
                    .is_equality = pred == IR_EQ || pred == IR_NE,
                    .is_unsigned = pred >= IR_ULT && pred <= IR_UGE,
                    .is_not = pred == IR_NE || pred == IR_SGT || pred == IR_SGE || pred == IR_UGT ||
                              pred == IR_UGE};
  if (!ir_const_value(scan->fn, inst->ops[1], &of->constant)) return false;
  if (of->is_equality || is_strict) return true;
  int64_t lo = 0, hi = 0; // x <= c is x < c + 1, where that is a number
  width_range(symeval_width(ir_ref_type(scan->module, scan->fn, inst->ops[0])), &lo, &hi);
  if (of->constant == hi || (of->is_unsigned && of->constant == -1)) return false;
  of->constant++;
  return true;
}

static uint32_t first_alike(const Scan *scan, uint32_t index, int depth, bool *is_contrary);

// One value: the same instruction, or two of one basic block that compute it alike.
static bool is_same_ref(const Scan *scan, IrRef a, IrRef b, int depth) {
  if (a == b) return true;
  if (depth == 0 || ir_ref_kind(a) != IR_REF_INST || ir_ref_kind(b) != IR_REF_INST) return false;
  bool contrary_a = false, contrary_b = false;
  uint32_t first = first_alike(scan, ir_ref_index(a), depth - 1, &contrary_a),
           second = first_alike(scan, ir_ref_index(b), depth - 1, &contrary_b);
  return first == second && contrary_a == contrary_b;
}

static bool are_alike(const Scan *scan, const IrInst *a, const IrInst *b, int depth) {
  if (a->op != b->op || a->pred != b->pred || a->op_count != b->op_count || a->type.kind != b->type.kind ||
      a->type.bits != b->type.bits)
    return false;
  for (uint32_t i = 0; i < a->op_count; i++)
    if (!is_same_ref(scan, a->ops[i], b->ops[i], depth)) return false;
  return true;
}

// The first instruction of the basic block that gives the same number, or the contrary: it is the unknown of both.
static uint32_t first_alike(const Scan *scan, uint32_t index, int depth, bool *is_contrary) {
  const IrInst *inst = &scan->fn->insts.items[index];
  IrOpClass kind = ir_op_class((IrOp)inst->op);
  Threshold own, other;
  *is_contrary = false;
  if (kind != IR_CLASS_ARITH && kind != IR_CLASS_CAST && inst->op != IR_ICMP) return index;
  bool is_threshold = read_threshold(scan, inst, &own);
  for (uint32_t i = scan->fn->blocks.items[inst->block].first; i < index; i++) {
    const IrInst *before = &scan->fn->insts.items[i];
    if (are_alike(scan, inst, before, depth)) return i;
    if (!is_threshold || !read_threshold(scan, before, &other) || other.constant != own.constant ||
        other.is_equality != own.is_equality || other.is_unsigned != own.is_unsigned ||
        !is_same_ref(scan, own.value, other.value, depth))
      continue;
    *is_contrary = other.is_not != own.is_not;
    return i;
  }
  return index;
}

static RunValue computed_atom(Runner *runner, uint32_t index, uint32_t thread, uint32_t visit) {
  uint32_t *known = &runner->alike[index];
  bool is_contrary = false;
  if (!*known) {
    uint32_t found = first_alike(runner->scan, index, ALIKE_DEPTH, &is_contrary);
    *known = 1 + 2 * found + is_contrary;
  }
  uint32_t first = (*known - 1) / 2;
  is_contrary = (*known - 1) & 1;
  RunValue atom = run_atom(runner, first, thread, visit, false), turned;
  if (!is_contrary) return atom;
  bool is_turned = is_integer(atom) && combine(runner, 1, run_number(1), atom, -1, &turned);
  return is_turned ? turned : run_atom(runner, index, thread, visit, false);
}

// Whether a sum of 0 or 1 is not zero, and so on; or what intervals say.
static bool compare(Runner *runner, const IrInst *inst, const RunValue *v, RunValue *out) {
  if (!is_integer(v[0]) || !is_integer(v[1])) return false;
  RunSum one = as_sum(v[0]), two = as_sum(v[1]);
  bool are_signed = one.least >= 0 && two.least >= 0;
  IrPred pred = (IrPred)inst->pred;
  bool lower = one.most < two.least, higher = two.most < one.least;
  bool not_above = one.most <= two.least, not_below = two.most <= one.least;
  bool is_unsigned = pred == IR_ULT || pred == IR_ULE || pred == IR_UGT || pred == IR_UGE;
  bool is_signed = !is_unsigned && pred != IR_EQ && pred != IR_NE;
  uint8_t width = symeval_width(ir_ref_type(runner->scan->module, runner->scan->fn, inst->ops[0]));
  bool are_short = fits_signed(width, one.least, one.most) && fits_signed(width, two.least, two.most);
  if ((is_unsigned || !are_short) && !are_signed) return false;
  if (is_signed && !are_short) return false;
  int known = -1;
  if (pred == IR_SLT || pred == IR_ULT) known = lower ? 1 : not_below ? 0 : -1;
  if (pred == IR_SLE || pred == IR_ULE) known = not_above ? 1 : higher ? 0 : -1;
  if (pred == IR_SGT || pred == IR_UGT) known = higher ? 1 : not_above ? 0 : -1;
  if (pred == IR_SGE || pred == IR_UGE) known = not_below ? 1 : lower ? 0 : -1;
  if (pred == IR_EQ || pred == IR_NE) known = lower || higher ? pred == IR_NE : -1;
  if (known >= 0) {
    *out = run_number(known);
    return true;
  }
  if (v[1].kind != RUN_NUMBER || !is_truth(v[0])) return false;
  int64_t number = v[1].number;
  bool is_set = (pred == IR_EQ && number == 1) || (pred == IR_NE && number == 0) ||
                ((pred == IR_SGT || pred == IR_UGT) && number == 0) ||
                ((pred == IR_SGE || pred == IR_UGE) && number == 1);
  bool is_clear = (pred == IR_EQ && number == 0) || (pred == IR_NE && number == 1) ||
                  ((pred == IR_SLT || pred == IR_ULT) && number == 1) ||
                  ((pred == IR_SLE || pred == IR_ULE) && number == 0);
  if (is_set) *out = v[0];
  return is_set || (is_clear && combine(runner, 1, run_number(1), v[0], -1, out));
}

static bool cast(Runner *runner, const IrInst *inst, uint8_t width, RunValue value, RunValue *out) {
  *out = value;
  if (inst->op == IR_BITCAST) return value.kind != RUN_BITS;
  if (value.kind == RUN_BITS) return false;
  RunSum sum = as_sum(value);
  IrType from = ir_ref_type(runner->scan->module, runner->scan->fn, inst->ops[0]);
  if (inst->op == IR_SEXT) return from.bits > 1 && fits_signed(symeval_width(from), sum.least, sum.most);
  if (inst->op == IR_ZEXT) return sum.least >= 0;
  return inst->op == IR_TRUNC && fits(width, sum.least, sum.most);
}

static bool choose(Runner *runner, uint8_t width, const RunValue *v, RunValue *out) {
  *out = v[1];
  if (v[0].kind == RUN_NUMBER) {
    *out = v[0].number ? v[1] : v[2];
    return true;
  }
  if (run_same(v[1], v[2])) return true;
  if (!is_truth(v[0]) || v[1].kind != RUN_NUMBER || v[2].kind != RUN_NUMBER) return false;
  bool are_small = v[1].number > -65536 && v[1].number < 65536 && v[2].number > -65536 && v[2].number < 65536;
  return are_small && combine(runner, width, v[2], v[0], (int32_t)(v[1].number - v[2].number), out);
}

static bool all_numbers(const IrInst *inst, const RunValue *operands) {
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (operands[i].kind != RUN_NUMBER) return false;
  return true;
}

static bool by_numbers(Runner *runner, const IrInst *inst, const RunValue *operands, RunValue *out) {
  Scan *scan = runner->scan;
  ExprRef words[4];
  if (inst->op_count > 4) return false;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    IrType type = ir_ref_type(scan->module, scan->fn, inst->ops[i]);
    if (type.kind != IR_INT) return false;
    words[i] = expr_const(scan->pool, symeval_width(type), operands[i].number);
  }
  ExprRef word = symeval_inst(scan->pool, scan->module, scan->fn, inst, words);
  int64_t number = 0;
  if (!word || !expr_is_const(scan->pool, word, &number)) return false;
  *out = run_number(number);
  return true;
}

static bool is_counting(const IrInst *inst) {
  return inst->op == IR_PURE && inst->name && strcmp(inst->name, "__popc") == 0;
}

static bool pointer_op(const IrInst *inst, const RunValue *v, RunValue *out) {
  *out = v[0];
  if (inst->op == IR_BITCAST) return v[0].kind == RUN_POINTER;
  if (inst->op != IR_PTRADD || v[0].kind != RUN_POINTER) return false;
  if (v[1].kind == RUN_NUMBER && !v[0].is_somewhere)
    out->number = (int64_t)((uint64_t)v[0].number + (uint64_t)v[1].number);
  else
    out->is_somewhere = true;
  return true;
}

RunValue run_pure(Runner *runner, uint32_t index, uint32_t thread, uint32_t visit, const RunValue *operands) {
  const IrInst *inst = &runner->scan->fn->insts.items[index];
  RunValue out = {0};
  uint8_t width = symeval_width(inst->type);
  if (inst->type.kind == IR_PTR) {
    if (inst->op == IR_SELECT && choose(runner, 64, operands, &out)) return out;
    return pointer_op(inst, operands, &out) ? out : unknown();
  }
  if (inst->type.kind != IR_INT) return unknown();
  bool is_known = false;
  if (is_counting(inst) && is_integer(operands[0]) && is_truth(operands[0])) return operands[0];
  if (is_counting(inst) && (operands[0].kind == RUN_BITS || operands[0].kind == RUN_NUMBER))
    is_known = count_bits(runner, operands[0], &out);
  else if (all_numbers(inst, operands))
    is_known = by_numbers(runner, inst, operands, &out);
  else if (inst->op == IR_SELECT)
    is_known = choose(runner, width, operands, &out);
  else if (ir_op_class((IrOp)inst->op) == IR_CLASS_CAST)
    is_known = (is_integer(operands[0]) || operands[0].kind == RUN_BITS) &&
               cast(runner, inst, width, operands[0], &out);
  else if (inst->op == IR_ICMP)
    is_known = compare(runner, inst, operands, &out);
  else if (ir_op_class((IrOp)inst->op) == IR_CLASS_ARITH)
    is_known = arith(runner, inst, width, operands, &out);
  return is_known ? out : computed_atom(runner, index, thread, visit);
}
