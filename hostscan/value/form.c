// Which closed form over the iteration number k does a header phi have? Given its value x0 on entry and
// its value f(x) at the end of an iteration in terms of its own value x:
//   f(x) = x                          x0
//   f(x) = x + c                      x0 + k * c                     c does not change in the loop
//   f(x) = x * 2^m, x / 2^m, x >> m   x0 << (m * k), x0 / 2^(m * k), 2^(p - m * k) for x0 = 2^p
//   f repeats after at most 8 steps   the k-th of them, k modulo the period (1 - x, !x, (x + 1) % 3)
//   f(x) = y, another phi, and so on  round to x: the k-th of their values on entry (phi_groups.c)
//   f only makes phis change places   the values on entry in an unknown order (phi_groups.c)
//   f has few values in all cases     one of them
//   f(x) = c ? v : x                  x0, or v at the last k at which c held
//   f(x) has two packed halves        both of them, each a phi of its own
//   f(x) = (x & mask) + new           the same bits of x0, and others that are not known
//   f(x) = c ? x + m * y : x          x0 + m * n, n a phi of its own, for addresses
//   f depends on k alone              k == 0 ? x0 : f at k - 1
// Method: matching on expressions; what one phi becomes is substituted into the others until nothing
// changes.
// Soundness: the forms are exact for words. Sums keep the wrap flags that the step had. Shifts carry the
// promise that they do not leave the word (A1), stated as a range of k.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/form.h"
#include "core/bug.h"
#include "hostscan/names.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

static bool is_fixed(const HostFormer *f, ExprRef ref) {
  return !host_varies_in(f->scan, ref, f->frame, f->loop);
}

static ExprRef count_as(const HostFormer *f, uint8_t width) {
  return expr_resize_signed(f->pool, host_loop_count(f->scan, f->frame, f->loop), width);
}

// ---- sums

// next = x + rest with a fixed rest: the rest, or 0. The flags are those that all additions have.
static ExprRef step_of(const HostFormer *f, ExprRef next, ExprRef x, uint8_t *flags) {
  ExprNode node = *expr_node(f->pool, next);
  if (next == x) return expr_const(f->pool, node.width, 0);
  if (node.op != EXPR_ADD && node.op != EXPR_SUB) return 0;
  *flags &= node.flags;
  if (is_fixed(f, node.b)) {
    ExprRef rest = step_of(f, node.a, x, flags);
    return rest ? expr_binary(f->pool, (ExprOp)node.op, 0, rest, node.b) : 0;
  }
  if (node.op != EXPR_ADD || !is_fixed(f, node.a)) return 0;
  ExprRef rest = step_of(f, node.b, x, flags);
  return rest ? expr_binary(f->pool, EXPR_ADD, 0, rest, node.a) : 0;
}

static ExprRef sum_form(const HostFormer *f, const HostPhi *phi) {
  uint8_t flags = EXPR_NSW | EXPR_NUW | EXPR_ADDRESS, width = expr_width(f->pool, phi->init);
  ExprRef step = step_of(f, phi->next, phi->placeholder, &flags);
  int64_t value = 0;
  if (!step || width < 8) return 0;
  ExprRef count = count_as(f, width);
  if (expr_is_const(f->pool, step, &value) && value < 0 && value != INT64_MIN) {
    flags &= EXPR_NSW | EXPR_ADDRESS; // x + -1 without unsigned wrap means something else than x - 1
    ExprRef down = expr_binary(f->pool, EXPR_MUL, flags, count, expr_const(f->pool, width, -value));
    return expr_binary(f->pool, EXPR_SUB, flags, phi->init, down);
  }
  return expr_binary(f->pool, EXPR_ADD, flags, phi->init, expr_binary(f->pool, EXPR_MUL, flags, count, step));
}

// ---- doubling and halving
static bool power_of_two(const HostFormer *f, ExprRef ref, int64_t *exponent) {
  int64_t value = 0;
  if (!expr_is_const(f->pool, ref, &value) || value < 2 || (value & (value - 1))) return false;
  *exponent = __builtin_ctzll((uint64_t)value);
  return true;
}

static ExprRef shift_count(const HostFormer *f, uint8_t width, int64_t exponent, int64_t most_rounds) {
  ExprRef count = count_as(f, width), factor = expr_const(f->pool, width, exponent);
  ExprRef zero = expr_const(f->pool, width, 0), limit = expr_const(f->pool, width, most_rounds);
  ExprRef number = host_loop_count(f->scan, f->frame, f->loop);
  host_loop_side_fact(f, number, expr_binary(f->pool, EXPR_SLE, 0, zero, count));
  host_loop_side_fact(f, number, expr_binary(f->pool, EXPR_SLE, 0, count, limit));
  return exponent == 1 ? count : expr_binary(f->pool, EXPR_MUL, EXPR_NSW, count, factor);
}

// Conditions of leaving the loop that depend on x.
typedef bool (*ConditionTest)(const HostFormer *f, ExprRef condition, ExprRef x);

static bool exit_condition_is(const HostFormer *f, ExprRef x, ConditionTest test) {
  const Cfg *cfg = f->frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[f->loop];
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    const IrInst *last = ir_terminator(f->frame->function->ir, info->blocks.items[i]);
    if (last->op != IR_CONDBR) continue;
    bool stays =
        cfg_loop_contains(cfg, f->loop, last->blocks[0]) && cfg_loop_contains(cfg, f->loop, last->blocks[1]);
    if (!stays && test(f, host_value(f->scan, f->frame, last->ops[0]), x)) return true;
  }
  return false;
}

static bool depends_on(const HostFormer *f, ExprRef condition, ExprRef x) {
  ExprRef zero = expr_const(f->pool, expr_width(f->pool, x), 0),
          one = expr_const(f->pool, expr_width(f->pool, x), 1);
  return host_at_iteration(f->scan, condition, x, zero) != condition ||
         host_at_iteration(f->scan, condition, x, one) != condition;
}

static bool compares_signed(const HostFormer *f, ExprRef condition, ExprRef x) {
  ExprNode node = *expr_node(f->pool, condition);
  return (node.op == EXPR_SLT || node.op == EXPR_SLE) && depends_on(f, condition, x);
}

// x < limit, or not (limit <= x), with a limit that does not hang on x; `limit`: that
static bool says_below(const HostFormer *f, ExprRef condition, bool holds, ExprRef x, ExprRef *limit) {
  ExprNode node = *expr_node(f->pool, condition);
  if (node.op == EXPR_AND && node.width == 1 && holds)
    return says_below(f, node.a, true, x, limit) || says_below(f, node.b, true, x, limit);
  bool is_order = node.op == EXPR_SLT || node.op == EXPR_SLE || node.op == EXPR_ULT || node.op == EXPR_ULE;
  if (!is_order) return false;
  ExprRef small = holds ? node.a : node.b;
  *limit = holds ? node.b : node.a;
  while (expr_node(f->pool, small)->op == EXPR_SEXT || expr_node(f->pool, small)->op == EXPR_ZEXT)
    small = expr_node(f->pool, small)->a;
  return small == x && !depends_on(f, *limit, x);
}

static bool is_in_each_round(const HostFormer *f, uint32_t block) {
  const Cfg *cfg = f->frame->function->cfg;
  uint32_t header = cfg->loops.items[f->loop].header;
  bool is_so = true;
  for (uint32_t e = cfg->pred_first[header]; e < cfg->pred_first[header + 1]; e++)
    if (cfg_loop_contains(cfg, f->loop, cfg->preds[e])) is_so &= cfg_dominates(cfg, block, cfg->preds[e]);
  return is_so;
}

// Does a positive x that is shifted left by so many bits in each round leave the loop before its bits have gone, as it only goes on below
// a limit? Where that is the only way out, it never ends otherwise.
static bool ends_below(const HostFormer *f, ExprRef x, int64_t by) {
  const Cfg *cfg = f->frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[f->loop];
  int64_t lo = 0, hi = 0, most = (INT64_MAX >> (64 - expr_width(f->pool, x))) >> by;
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    const IrInst *last = ir_terminator(f->frame->function->ir, info->blocks.items[i]);
    if (last->op != IR_CONDBR || !is_in_each_round(f, info->blocks.items[i])) continue;
    bool on_true = cfg_loop_contains(cfg, f->loop, last->blocks[0]),
         on_false = cfg_loop_contains(cfg, f->loop, last->blocks[1]);
    ExprRef limit = 0, condition = host_value(f->scan, f->frame, last->ops[0]);
    if (on_true == on_false || !says_below(f, condition, on_true, x, &limit)) continue;
    expr_range(f->pool, limit, &lo, &hi);
    bool is_alone = expr_node(f->pool, condition)->op != EXPR_AND && cfg_ways_out(cfg, f->loop) == 1;
    if (is_alone || (lo >= 0 && hi <= most)) return true;
  }
  return false;
}

static uint32_t rounds_at_most(const HostFormer *f, uint32_t most);

// How often can a number of at least `lo`, and at most `hi`, be doubled before its bits run out? -1: the program may double it further,
// and then it is zero. Where overflow has no meaning, and in a loop up to a limit, no number comes so far.
static int64_t doublings(const HostFormer *f, const HostPhi *phi, int64_t lo, int64_t hi, int64_t bits,
                         int64_t exponent, bool is_exact) {
  if (is_exact || ends_below(f, phi->placeholder, exponent))
    return (bits - (63 - __builtin_clzll((uint64_t)lo))) / exponent;
  int64_t most = (bits - (63 - __builtin_clzll((uint64_t)hi))) / exponent;
  uint32_t rounds = most >= 0 ? rounds_at_most(f, (uint32_t)most) : UINT32_MAX;
  return rounds == UINT32_MAX ? -1 : (int64_t)rounds;
}

// `x <<= 1` on an int does not carry the promise not to wrap that `x *= 2` has; a signed comparison shows
// the type.
static ExprRef doubling_form(const HostFormer *f, const HostPhi *phi) {
  ExprNode next = *expr_node(f->pool, phi->next);
  int64_t exponent = 0, lo = 0, hi = 0;
  if (next.op != EXPR_MUL || next.a != phi->placeholder || !power_of_two(f, next.b, &exponent)) return 0;
  expr_range(f->pool, phi->init, &lo, &hi);
  if (lo < 1) return 0; // zero stays zero for ever: the count is not bounded
  bool is_signed = (next.flags & EXPR_NSW) || exit_condition_is(f, phi->placeholder, compares_signed);
  int64_t most = doublings(f, phi, lo, hi, next.width - (is_signed ? 2 : 1), exponent, next.flags & EXPR_NSW);
  if (most < 0) return 0;
  ExprRef shift = shift_count(f, next.width, exponent, most);
  return expr_binary(f->pool, EXPR_SHL, is_signed ? EXPR_NSW : EXPR_NUW, phi->init, shift);
}

// Is the value kept in some cases, and in all others multiplied by the same power of two, without overflow?
static bool doubles_at_times(const HostFormer *f, ExprRef ref, ExprRef x, int64_t *exponent) {
  ExprNode node = *expr_node(f->pool, ref);
  int64_t found = 0;
  if (ref == x) return true;
  if (node.op == EXPR_ITE)
    return doubles_at_times(f, node.b, x, exponent) && doubles_at_times(f, node.c, x, exponent);
  if (node.op != EXPR_MUL || node.a != x || !(node.flags & EXPR_NSW) || !power_of_two(f, node.b, &found))
    return false;
  if (*exponent && *exponent != found) return false;
  *exponent = found;
  return true;
}

// A number that says what the rounds of the loop have done to the variable.
static ExprRef of_rounds(const HostFormer *f, const HostPhi *phi, HostUnknown unknown) {
  ExprRef number = host_unknown(f->scan, unknown);
  host_sym(f->scan, (uint32_t)expr_node(f->pool, number)->value)->hangs_on = phi->next;
  return number;
}

// if (c) x *= 2; as many times as c has held.
static ExprRef doubling_at_times_form(const HostFormer *f, const HostPhi *phi) {
  int64_t exponent = 0, lo = 0, hi = 0;
  if (expr_node(f->pool, phi->next)->op != EXPR_ITE) return 0;
  if (!doubles_at_times(f, phi->next, phi->placeholder, &exponent) || !exponent) return 0;
  expr_range(f->pool, phi->init, &lo, &hi);
  if (lo < 1) return 0;
  const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
  uint8_t width = expr_width(f->pool, phi->init);
  HostUnknown times = {.frame = f->frame, .loop = f->loop, .width = width, .loc = sym->loc};
  times.name = arena_printf(f->scan->arena, "times that %s has grown", sym->name);
  times.hi = (width - 2 - (63 - __builtin_clzll((uint64_t)lo))) / exponent;
  ExprRef shift = expr_binary(f->pool, EXPR_MUL, EXPR_NSW, of_rounds(f, phi, times),
                              expr_const(f->pool, width, exponent));
  return expr_binary(f->pool, EXPR_SHL, EXPR_NSW, phi->init, shift);
}

// Halving a negative number towards zero: some number that is not positive.
static ExprRef not_positive(const HostFormer *f, const HostPhi *phi) {
  const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
  HostUnknown unknown = {
      .frame = f->frame, .loop = f->loop, .width = sym->width, .name = sym->name, .loc = sym->loc};
  unknown.lo = sym->width == 64 ? INT64_MIN : -((int64_t)1 << (sym->width - 1));
  return host_unknown(f->scan, unknown);
}

// Does the loop end in the iteration in which x has this value, whatever else happens?
static bool ends_at(const HostFormer *f, ExprRef x, int64_t value) {
  const Cfg *cfg = f->frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[f->loop];
  ExprRef here = expr_const(f->pool, expr_width(f->pool, x), value);
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    const IrInst *last = ir_terminator(f->frame->function->ir, block);
    bool is_always = true;
    for (uint32_t k = 0; k < info->latches.count; k++)
      is_always &= cfg_dominates(cfg, block, info->latches.items[k]);
    if (!is_always || last->op != IR_CONDBR || cfg->loop_of[block] != f->loop) continue;
    ExprRef condition = host_replace(f->scan, host_value(f->scan, f->frame, last->ops[0]), x, here);
    if (!expr_is_const(f->pool, condition, NULL)) continue;
    if (!cfg_loop_contains(cfg, f->loop, last->blocks[expr_is_true(f->pool, condition) ? 0 : 1])) return true;
  }
  return false;
}

// The least j up to `most` for which the loop ends in its iteration j at the latest, by tests that fold to
// constants; UINT32_MAX if there is none.
static uint32_t rounds_at_most(const HostFormer *f, uint32_t most) {
  const Cfg *cfg = f->frame->function->cfg;
  uint32_t header = cfg->loops.items[f->loop].header, end = cfg->succ_first[header + 1];
  ExprRef count = host_loop_count(f->scan, f->frame, f->loop);
  for (uint32_t e = cfg->succ_first[header]; e < end; e++) {
    uint32_t other = cfg->succs[cfg->succ_first[header] + end - 1 - e];
    bool is_test = end - cfg->succ_first[header] == 2 && !cfg_loop_contains(cfg, f->loop, other);
    if (!is_test || !cfg_loop_contains(cfg, f->loop, cfg->succs[e])) continue;
    ExprRef stays = host_settle(f->scan, host_edge_condition(f->scan, f->frame, header, cfg->succs[e]));
    for (uint32_t j = 0; j <= most; j++) {
      ExprRef at = expr_const(f->pool, expr_width(f->pool, count), j);
      int64_t value = 1;
      if (expr_is_const(f->pool, host_at_iteration(f->scan, stays, count, at), &value) && value == 0)
        return j;
    }
  }
  return UINT32_MAX;
}

// x0 >> (exponent * k), up to the round in which nothing is left, where a shift may be wider than the word.
static ExprRef shifted_down(const HostFormer *f, ExprRef init, bool is_unsigned, int64_t exponent) {
  uint8_t width = expr_width(f->pool, init);
  int64_t bits = is_unsigned ? width : width - 1, rounds = (bits + exponent - 1) / exponent;
  uint8_t at = rounds * exponent < width ? width : 64;
  ExprRef wide =
      is_unsigned ? expr_resize_unsigned(f->pool, init, at) : expr_resize_signed(f->pool, init, at);
  ExprRef value = expr_binary(f->pool, EXPR_ASHR, 0, wide, shift_count(f, at, exponent, rounds));
  return expr_resize_signed(f->pool, value, width);
}

// A power of two stays one while the loop runs, which ends by a test of something else: 1 << (p - exponent *
// k).
static ExprRef power_form(const HostFormer *f, ExprRef init, int64_t exponent) {
  int64_t value = 0;
  uint8_t width = expr_width(f->pool, init);
  if (!expr_is_const(f->pool, init, &value) || value < 1 || (value & (value - 1))) return 0;
  int64_t power = __builtin_ctzll((uint64_t)value);
  uint32_t rounds = rounds_at_most(f, (uint32_t)(power / exponent));
  if (rounds == UINT32_MAX) return 0;
  ExprRef down = expr_binary(f->pool, EXPR_SUB, EXPR_NSW, expr_const(f->pool, width, power),
                             shift_count(f, width, exponent, rounds));
  return expr_binary(f->pool, EXPR_SHL, EXPR_NSW | EXPR_NUW, expr_const(f->pool, width, 1), down);
}

// x / 2, x >> 1. At zero the loop must end, else the iteration number is not bounded by the width of the
// word.
static ExprRef halving_form(const HostFormer *f, const HostPhi *phi) {
  ExprNode next = *expr_node(f->pool, phi->next);
  int64_t exponent = 0, lo = 0, hi = 0;
  bool is_shift = next.op == EXPR_ASHR || next.op == EXPR_LSHR;
  bool is_division = next.op == EXPR_SDIV || next.op == EXPR_UDIV;
  if ((!is_shift && !is_division) || next.a != phi->placeholder || next.width > 32) return 0;
  if (is_shift && (!expr_is_const(f->pool, next.b, &exponent) || exponent < 1 || exponent >= next.width))
    return 0;
  if (is_division && !power_of_two(f, next.b, &exponent)) return 0;
  expr_range(f->pool, phi->init, &lo, &hi);
  if (!ends_at(f, phi->placeholder, 0)) return power_form(f, phi->init, exponent);
  if (next.op == EXPR_ASHR && lo < 0 && !ends_at(f, phi->placeholder, -1)) return 0;
  bool is_unsigned = lo < 0 && (next.op == EXPR_LSHR || next.op == EXPR_UDIV);
  ExprRef value = shifted_down(f, phi->init, is_unsigned, exponent);
  if (lo >= 0 || next.op != EXPR_SDIV) return value;
  ExprRef zero = expr_const(f->pool, next.width, 0);
  return expr_ite(f->pool, expr_binary(f->pool, EXPR_SLE, 0, zero, phi->init), value, not_positive(f, phi));
}

// ---- halving while even: no form, but a fact
// Does the condition say that the lowest `bits` bits of `x` are zero?
static bool says_even(const ExprPool *pool, ExprRef condition, ExprRef x, uint32_t bits) {
  ExprNode node = *expr_node(pool, condition);
  int64_t mask = 0, zero = 1;
  if (node.op == EXPR_AND && node.width == 1)
    return says_even(pool, node.a, x, bits) || says_even(pool, node.b, x, bits);
  if (node.op != EXPR_EQ || !expr_is_const(pool, node.b, &zero) || zero != 0) return false;
  ExprNode masked = *expr_node(pool, node.a);
  uint64_t low = ((uint64_t)1 << bits) - 1;
  return masked.op == EXPR_AND && masked.a == x && expr_is_const(pool, masked.b, &mask) &&
         ((uint64_t)mask & low) == low;
}

// `while ((x & 1) == 0) x >>= 1;` drops zeros only: if it comes down to 1, x was a power of two.
static void note_halved(const HostFormer *f, const HostPhi *phi) {
  ExprRef x = phi->placeholder, init = host_settle(f->scan, phi->init);
  ExprNode next = *expr_node(f->pool, host_settle(f->scan, phi->next));
  int64_t by = 0;
  if (next.a != x || next.width < 32 || !expr_is_const(f->pool, next.b, &by)) return;
  bool is_shift = (next.op == EXPR_LSHR || next.op == EXPR_ASHR) && by == 1;
  if (!is_shift && !((next.op == EXPR_UDIV || next.op == EXPR_SDIV) && by == 2)) return;
  const Cfg *cfg = f->frame->function->cfg;
  uint32_t header = cfg->loops.items[f->loop].header;
  bool is_even = false;
  for (uint32_t e = cfg->succ_first[header]; e < cfg->succ_first[header + 1]; e++)
    if (cfg_loop_contains(cfg, f->loop, cfg->succs[e]) &&
        cfg->succ_first[header + 1] - cfg->succ_first[header] == 2)
      is_even |= says_even(
          f->pool, host_settle(f->scan, host_edge_condition(f->scan, f->frame, header, cfg->succs[e])), x, 1);
  if (!is_even) return;
  ExprRef power = host_unknown(
      f->scan, (HostUnknown){.frame = f->frame,
                             .loop = f->loop,
                             .width = next.width,
                             .name = "halvings",
                             .lo = 0,
                             .hi = next.width - 2,
                             .loc = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, x)->value)->loc});
  ExprRef one = expr_const(f->pool, next.width, 1);
  ExprRef is_power = expr_eq(f->pool, init, expr_binary(f->pool, EXPR_SHL, EXPR_NUW, one, power));
  ExprRef top = expr_const(f->pool, next.width, (int64_t)((uint64_t)1 << (next.width - 1)));
  host_loop_side_fact(
      f, 0,
      expr_or(f->pool, expr_ne(f->pool, x, one), expr_or(f->pool, is_power, expr_eq(f->pool, init, top))));
}

// ---- periods

static bool depends_on_self_only(const HostFormer *f, const HostPhi *phi) {
  ExprRef probe = host_at_iteration(f->scan, phi->next, phi->placeholder, phi->init);
  return is_fixed(f, probe);
}

// x, f(x), f(f(x)) ... with constants folded: does it come back to where it began?
static ExprRef orbit_form(const HostFormer *f, const HostPhi *phi) {
  ExprRef values[HOST_LONGEST_PERIOD + 1] = {phi->init};
  if (!depends_on_self_only(f, phi)) return 0;
  for (uint32_t i = 1; i <= HOST_LONGEST_PERIOD; i++) {
    values[i] = host_at_iteration(f->scan, phi->next, phi->placeholder, values[i - 1]);
    if (values[i] == phi->init) return host_periodic(f, i, values);
    if (values[i] == values[i - 1]) { // it stays where it is
      ExprRef count = host_loop_count(f->scan, f->frame, f->loop), result = values[i];
      for (uint32_t k = i - 1; k > 0; k--) {
        ExprRef here = expr_const(f->pool, expr_width(f->pool, count), k - 1);
        result = expr_ite(f->pool, expr_eq(f->pool, count, here), values[k - 1], result);
      }
      return result;
    }
  }
  return 0;
}

// c - x and x ^ c for an unknown x0.
static ExprRef toggle_form(const HostFormer *f, const HostPhi *phi) {
  ExprNode next = *expr_node(f->pool, phi->next);
  bool flips = (next.op == EXPR_SUB && next.b == phi->placeholder && is_fixed(f, next.a)) ||
               (next.op == EXPR_XOR && next.a == phi->placeholder && is_fixed(f, next.b)) ||
               (next.op == EXPR_XOR && next.b == phi->placeholder && is_fixed(f, next.a)) ||
               (next.op == EXPR_NOT && next.a == phi->placeholder);
  if (!flips) return 0;
  ExprRef values[2] = {phi->init, host_at_iteration(f->scan, phi->next, phi->placeholder, phi->init)};
  return host_periodic(f, 2, values);
}

// (x + c) % m from a start within 0 .. m-1.
static ExprRef modular_form(const HostFormer *f, const HostPhi *phi) {
  ExprNode next = *expr_node(f->pool, phi->next);
  int64_t modulus = 0, start = 0, step = 0;
  if ((next.op != EXPR_SREM && next.op != EXPR_UREM) || !expr_is_const(f->pool, next.b, &modulus)) return 0;
  uint8_t flags = EXPR_NSW | EXPR_NUW;
  ExprRef by = step_of(f, next.a, phi->placeholder, &flags);
  if (!by || !expr_is_const(f->pool, by, &step) || !expr_is_const(f->pool, phi->init, &start)) return 0;
  if (modulus < 1 || step < 0 || step > modulus || start < 0 || start >= modulus) return 0;
  ExprRef product = expr_binary(f->pool, EXPR_MUL, EXPR_NSW, count_as(f, next.width), by);
  ExprRef sum = expr_binary(f->pool, EXPR_ADD, EXPR_NSW, product, phi->init);
  return expr_binary(f->pool, EXPR_SREM, 0, sum, next.b);
}

// What stands at the end of the round before `now`. Where that is the next value of another phi, it is what
// that phi is now: of `n /= 2; half = n / 2;` the half is n(now) / 2, not what stands there at now - 1.
static ExprRef of_round_before(const HostFormer *f, ExprRef value, ExprRef now) {
  ExprRef count = host_loop_count(f->scan, f->frame, f->loop);
  const HostLoop *state = &f->frame->loops[f->loop];
  ExprRef *marks = arena_array(f->scan->arena, state->pending.count + 1u, ExprRef);
  uint32_t known = state->pending.count;
  for (uint32_t i = 0; i < known; i++) {
    const HostPhi other = state->pending.items[i];
    ExprRef next = other.form ? host_settle(f->scan, other.next) : 0;
    if (!next || !host_varies_in(f->scan, next, f->frame, f->loop)) continue;
    HostUnknown mark = {.width = expr_width(f->pool, next), .name = "now", .loop = CFG_NONE};
    marks[i] = host_unknown(f->scan, mark);
    value = host_replace(f->scan, value, next, marks[i]);
  }
  ExprRef down = expr_const(f->pool, expr_width(f->pool, count), -1);
  value = host_at_iteration(f->scan, value, count, expr_binary(f->pool, EXPR_ADD, EXPR_NSW, now, down));
  for (uint32_t i = 0; i < known; i++) {
    if (!marks[i]) continue;
    ExprRef form = host_at_iteration(f->scan, host_settle(f->scan, state->pending.items[i].form), count, now);
    value = host_replace(f->scan, value, marks[i], form);
  }
  return value;
}

static ExprRef delayed_form(const HostFormer *f, const HostPhi *phi) {
  if (!host_depends_only_on_count(f->scan, phi->next, f->frame, f->loop)) return 0;
  ExprRef count = host_loop_count(f->scan, f->frame, f->loop);
  ExprRef is_first = expr_eq(f->pool, count, expr_const(f->pool, expr_width(f->pool, count), 0));
  return expr_ite(f->pool, is_first, phi->init, of_round_before(f, phi->next, count));
}

typedef struct Reached { // numbers that a phi can have
  int64_t values[HOST_LONGEST_PERIOD];
  uint32_t count;
} Reached;

static bool reach(const HostFormer *f, const HostPhi *phi, ExprRef next, ExprRef at, Reached *reached) {
  ExprNode node = *expr_node(f->pool, next);
  int64_t value = 0;
  if (node.op == EXPR_ITE) return reach(f, phi, node.b, at, reached) && reach(f, phi, node.c, at, reached);
  if (!expr_is_const(f->pool, host_at_iteration(f->scan, next, phi->placeholder, at), &value)) return false;
  for (uint32_t i = 0; i < reached->count; i++)
    if (reached->values[i] == value) return true;
  if (reached->count == HOST_LONGEST_PERIOD) return false;
  reached->values[reached->count++] = value;
  return true;
}

// x = c ? 1 - x : x from a number on: one of few, in an order that is not known.
static ExprRef few_values_form(const HostFormer *f, const HostPhi *phi) {
  Reached reached = {.count = 1};
  uint8_t width = expr_width(f->pool, phi->init);
  bool is_choice = expr_node(f->pool, phi->next)->op == EXPR_ITE;
  if (!is_choice || width < 8 || !expr_is_const(f->pool, phi->init, &reached.values[0])) return 0;
  int64_t lo = reached.values[0], hi = lo;
  for (uint32_t i = 0; i < reached.count; i++) {
    int64_t value = reached.values[i];
    if (!reach(f, phi, phi->next, expr_const(f->pool, width, value), &reached)) return 0;
    lo = value < lo ? value : lo;
    hi = value > hi ? value : hi;
  }
  if (hi - lo != (int64_t)reached.count - 1 || hi == lo) return 0; // with gaps
  const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
  HostUnknown unknown = {.frame = f->frame, .loop = f->loop, .width = width, .name = sym->name};
  unknown.loc = sym->loc;
  unknown.lo = lo;
  unknown.hi = hi;
  return of_rounds(f, phi, unknown);
}

// The round that set a value last: `last_change(x)`, 0 if none did.
static ExprRef round_of_change(const HostFormer *f, const HostPhi *phi) {
  ExprRef count = host_loop_count(f->scan, f->frame, f->loop);
  const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
  HostUnknown round = {
      .frame = f->frame, .loop = f->loop, .width = expr_width(f->pool, count), .loc = sym->loc};
  round.name = arena_printf(f->scan->arena, "last_change(%s)", sym->name);
  round.hi = INT64_MAX >> (64 - round.width);
  ExprRef set = of_rounds(f, phi, round);
  host_loop_side_fact(f, set, expr_binary(f->pool, EXPR_SLE, 0, set, count));
  return set;
}

// if (c) x = v; where v hangs on the iteration number alone: the value on entry, or what the last round that
// set it put there. If c hangs on nothing else, or on x besides, it did not hold in the last round, unless
// that set x; and if not on x, it held in the round that set it.
static ExprRef set_form(const HostFormer *f, const HostPhi *phi) {
  ExprNode next = *expr_node(f->pool, phi->next);
  bool is_kept = next.op == EXPR_ITE && next.b == phi->placeholder;
  if (next.op != EXPR_ITE || next.width < 8 || (!is_kept && next.c != phi->placeholder)) return 0;
  ExprRef value = is_kept ? next.c : next.b;
  ExprRef condition = is_kept ? expr_not(f->pool, next.a) : next.a;
  if (!host_depends_only_on_count(f->scan, value, f->frame, f->loop)) return 0;
  HostUnknown self = {.width = next.width, .name = "self", .loop = CFG_NONE};
  ExprRef mark = host_unknown(f->scan, self);
  ExprRef marked = host_replace(f->scan, condition, phi->placeholder, mark);
  bool is_clear = host_depends_only_on_count(f->scan, marked, f->frame, f->loop);
  if (!is_clear && f->waits) return 0; // what c hangs on may still get a form
  ExprRef count = host_loop_count(f->scan, f->frame, f->loop), set = round_of_change(f, phi);
  ExprRef is_never = expr_eq(f->pool, set, expr_const(f->pool, expr_width(f->pool, set), 0));
  ExprRef form = expr_ite(f->pool, is_never, phi->init, of_round_before(f, value, set));
  if (!is_clear) return form;
  ExprRef left = host_replace(f->scan, of_round_before(f, marked, count), mark, form);
  host_loop_side_fact(f, set, expr_or(f->pool, expr_eq(f->pool, set, count), expr_not(f->pool, left)));
  if (marked == condition)
    host_loop_side_fact(f, set, expr_or(f->pool, is_never, of_round_before(f, condition, set)));
  return form;
}

// Is the value put together of two halves, in one case at least?
static bool is_packed(const HostFormer *f, ExprRef ref, uint32_t bits) {
  ExprNode node = *expr_node(f->pool, ref);
  if (node.op == EXPR_ITE) return is_packed(f, node.b, bits) || is_packed(f, node.c, bits);
  return host_packed_half(f->scan, ref, bits, false) != 0;
}

static ExprRef half_placeholder(const HostFormer *f, const HostPhi *phi, uint8_t bits) {
  const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
  HostUnknown half = {.frame = f->frame, .loop = f->loop, .width = bits, .name = sym->name, .loc = sym->loc};
  ExprRef symbol = host_unknown(f->scan, half);
  host_make_placeholder(f->scan, symbol);
  return symbol;
}

// Two fields of a small struct in one word: each is a phi of its own.
static ExprRef halves_form(const HostFormer *f, const HostPhi *phi) {
  uint8_t width = expr_width(f->pool, phi->placeholder), bits = width / 2;
  if (bits < 8 || !is_packed(f, phi->next, bits)) return 0;
  ExprRef low = half_placeholder(f, phi, bits), high = half_placeholder(f, phi, bits);
  ExprRef up = expr_binary(f->pool, EXPR_SHL, 0, expr_resize_unsigned(f->pool, high, width),
                           expr_const(f->pool, width, bits));
  ExprRef whole = expr_binary(f->pool, EXPR_OR, 0, expr_resize_unsigned(f->pool, low, width), up);
  ExprRef next = host_replace(f->scan, phi->next, phi->placeholder, whole);
  HostLoop *state = &f->frame->loops[f->loop];
  for (uint32_t half = 0; half < 2; half++) {
    HostPhi part = {.placeholder = half ? high : low};
    part.init = host_bytes_of(f->scan, phi->init, half * bits / 8, bits / 8);
    part.next = host_bytes_of(f->scan, next, half * bits / 8, bits / 8);
    vec_push(f->scan->arena, &state->pending, part);
  }
  return whole;
}

// The field of a small struct that the loop leaves alone while it writes the other one of the same word.
static ExprRef kept_half_form(const HostFormer *f, const HostPhi *phi) {
  uint8_t width = expr_width(f->pool, phi->init);
  for (uint32_t bits = 8; bits < width; bits *= 2)
    for (int is_high = 0; is_high < 2; is_high++) {
      ExprRef half = host_packed_half(f->scan, phi->next, bits, is_high);
      if (!half) continue;
      ExprNode node = *expr_node(f->pool, half);
      uint64_t low = ((uint64_t)1 << bits) - 1;
      int64_t mask = 0, kept = (int64_t)(is_high ? ~low : low);
      if (node.op != EXPR_AND || node.a != phi->placeholder) continue;
      if (!expr_is_const(f->pool, node.b, &mask) || mask != kept) continue;
      const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
      HostUnknown any = {
          .frame = f->frame, .loop = f->loop, .width = width, .name = sym->name, .loc = sym->loc};
      ExprRef others = expr_const(f->pool, width, ~kept);
      ExprRef written = expr_binary(f->pool, EXPR_AND, 0, of_rounds(f, phi, any), others);
      return expr_binary(f->pool, EXPR_OR, 0, expr_binary(f->pool, EXPR_AND, 0, phi->init, node.b), written);
    }
  return 0;
}

// ---- addresses that move on at times
// What `step` elements of this size are: `step` itself / bytes; 0: it is no multiple of that.
static ExprRef in_elements(const HostFormer *f, ExprRef step, int64_t bytes) {
  ExprNode node = *expr_node(f->pool, step);
  int64_t value = 0;
  if (expr_is_const(f->pool, step, &value))
    return value % bytes == 0 ? expr_const(f->pool, node.width, value / bytes) : 0;
  if (node.op == EXPR_MUL && expr_is_const(f->pool, node.b, &value) && value % bytes == 0)
    return expr_binary(f->pool, EXPR_MUL, EXPR_NSW, node.a, expr_const(f->pool, node.width, value / bytes));
  return 0;
}

// The constant by which the address is first moved; 0: it is not.
static int64_t moved_by(const HostFormer *f, ExprRef ref) {
  ExprNode node = *expr_node(f->pool, ref);
  int64_t value = 0;
  if (node.op == EXPR_ITE) {
    int64_t first = moved_by(f, node.b);
    return first ? first : moved_by(f, node.c);
  }
  if (node.op != EXPR_ADD) return 0;
  if (expr_is_const(f->pool, node.b, &value)) return value;
  ExprNode factor = *expr_node(f->pool, node.b);
  return factor.op == EXPR_MUL && expr_is_const(f->pool, factor.b, &value) ? value : 0;
}

// The value in elements behind x, where x is `moved` elements behind its start.
static ExprRef in_elements_behind(const HostFormer *f, ExprRef ref, ExprRef x, ExprRef moved, int64_t bytes) {
  ExprNode node = *expr_node(f->pool, ref);
  if (ref == x) return moved;
  if (node.op == EXPR_ITE) {
    ExprRef yes = in_elements_behind(f, node.b, x, moved, bytes);
    ExprRef no = yes ? in_elements_behind(f, node.c, x, moved, bytes) : 0;
    return no ? expr_ite(f->pool, node.a, yes, no) : 0;
  }
  if (node.op != EXPR_ADD || !(node.flags & EXPR_ADDRESS)) return 0;
  ExprRef before = in_elements_behind(f, node.a, x, moved, bytes);
  ExprRef step = before ? in_elements(f, node.b, bytes) : 0;
  return step ? expr_binary(f->pool, EXPR_ADD, EXPR_NSW, before, step) : 0;
}

// An address that some rounds move on and others do not: how many elements it has moved is a number that is followed by itself. It
// does not wrap, as no object is so large.
static ExprRef moved_form(const HostFormer *f, const HostPhi *phi) {
  if (expr_width(f->pool, phi->init) != 64) return 0;
  int64_t bytes = moved_by(f, phi->next);
  if (bytes < 1 || !is_fixed(f, phi->init)) return 0;
  const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
  HostUnknown unknown = {.frame = f->frame, .loop = f->loop, .width = 64, .loc = sym->loc};
  unknown.name = arena_printf(f->scan->arena, "elements before %s", sym->name);
  ExprRef moved = host_unknown(f->scan, unknown);
  ExprRef next = in_elements_behind(f, phi->next, phi->placeholder, moved, bytes);
  if (!next) return 0;
  host_make_placeholder(f->scan, moved);
  ExprRef way = expr_binary(f->pool, EXPR_MUL, EXPR_NSW, moved, expr_const(f->pool, 64, bytes));
  ExprRef form = host_add_offset(f->scan, phi->init, way);
  HostPhi number = {.placeholder = moved, .init = expr_const(f->pool, 64, 0)};
  number.next = host_replace(f->scan, next, phi->placeholder, form);
  HostLoop *state = &f->frame->loops[f->loop];
  vec_push(f->scan->arena, &state->pending, number);
  return form;
}

static ExprRef closed_form(const HostFormer *f, const HostPhi *phi) {
  ExprRef (*const forms[])(const HostFormer *, const HostPhi *) = {
      sum_form,     doubling_form, doubling_at_times_form, halving_form, orbit_form,  toggle_form,
      modular_form, delayed_form,  few_values_form,        set_form,     halves_form, kept_half_form,
      moved_form};
  if (phi->next == phi->placeholder || phi->next == phi->init) return phi->init;
  for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    ExprRef form = forms[i](f, phi);
    if (form && host_weight(f->scan, form) <= HOST_HEAVY) return form;
  }
  return 0;
}

static void name_form(const HostFormer *f, ExprRef placeholder, ExprRef form) {
  const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, placeholder)->value);
  ExprNode node = *expr_node(f->pool, form);
  bool is_computed = node.op == EXPR_ADD || node.op == EXPR_SUB || node.op == EXPR_MUL ||
                     node.op == EXPR_SHL || node.op == EXPR_ASHR || node.op == EXPR_LSHR;
  ExprRef count = host_loop_count(f->scan, f->frame, f->loop);
  if (is_computed && host_mentions(f->scan, form, (uint32_t)expr_node(f->pool, count)->value))
    host_note_name(f->scan, form, sym->name, true, sym->loc);
}

// Looking for a form may evaluate exit conditions, and so find more phis: the list may move.
static bool classify_one(const HostFormer *f, HostLoop *state, uint32_t index) {
  HostPhi phi = state->pending.items[index];
  if (!phi.placeholder) return false;
  phi.init = host_settle(f->scan, phi.init);
  phi.next = host_settle(f->scan, phi.next);
  ExprRef form = closed_form(f, &phi);
  if (form) {
    host_set_form(f->scan, phi.placeholder, form);
    name_form(f, phi.placeholder, form);
    phi.placeholder = 0;
    phi.form = form;
  }
  state->pending.items[index] = phi;
  return form != 0;
}

void host_classify(HostScan *scan, HostFrame *frame, uint32_t loop) {
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  HostLoop *state = &frame->loops[loop];
  HostFormer former = {.scan = scan, .pool = scan->pool, .frame = frame, .loop = loop, .waits = true};
  bool changed = true;
  state->open++; // what is found from here on waits for its turn in this list
  while (changed) {
    uint32_t known = state->pending.count;
    changed = false;
    for (uint32_t i = 0; i < state->pending.count; i++)
      changed |= classify_one(&former, state, i);
    for (uint32_t i = 0; i < state->pending.count && !changed; i++)
      changed |= host_classify_cycle(&former, state, &state->pending.items[i]);
    for (uint32_t i = 0; i < state->pending.count && !changed; i++)
      changed |= host_classify_shuffle(&former, state, &state->pending.items[i]);
    for (uint32_t i = 0; i < state->pending.count && !changed; i++)
      changed |= host_classify_twin(&former, state, &state->pending.items[i]);
    changed |= state->pending.count != known;
    bool has_turn = !changed && former.waits; // of what waited for others
    if (has_turn) former.waits = false;
    changed |= has_turn;
  }
  state->open--;
  for (uint32_t i = 0; i < state->pending.count; i++)
    if (host_is_without_form(&former, &state->pending.items[i]))
      note_halved(&former, &state->pending.items[i]);
  host_note_loop_facts(scan, frame, loop);
  state->pending.count = 0;
}
