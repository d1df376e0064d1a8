// Which phis at the header of a loop are values of one another? Some hand their values round (x <- y <- z <- x), some only change
// places (if (c) swap(x, y)), some are always equal. Method: matching on what each is at the end of a round, in terms of
// all of them. Soundness: the k-th value of a cycle is exact; of those that change places it is not known in which order
// they are, but for all of them it is the same one; equal ones are so by induction over the rounds.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/form.h"
#include "core/bug.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

static HostPhi *phi_of(HostLoop *state, ExprRef placeholder) {
  for (uint32_t i = 0; i < state->pending.count; i++)
    if (state->pending.items[i].placeholder == placeholder) return &state->pending.items[i];
  return NULL;
}

// first + step * phase for constants in arithmetic progression, which says more than a choice.
static ExprRef progression(const HostFormer *f, uint32_t period, const ExprRef *values, ExprRef phase) {
  int64_t first = 0, second = 0, value = 0;
  uint8_t width = expr_width(f->pool, values[0]);
  if (width < 8 || !expr_is_const(f->pool, values[0], &first) || !expr_is_const(f->pool, values[1], &second))
    return 0;
  for (uint32_t i = 2; i < period; i++)
    if (!expr_is_const(f->pool, values[i], &value) || value - first != (second - first) * i) return 0;
  ExprRef step = expr_const(f->pool, width, second - first);
  ExprRef product = expr_binary(f->pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(f->pool, phase, width), step);
  return expr_binary(f->pool, EXPR_ADD, EXPR_NSW, product, values[0]);
}

// The k-th value of a sequence that repeats.
ExprRef host_periodic(const HostFormer *f, uint32_t period, const ExprRef *values) {
  ASSERT(period > 0 && period <= HOST_LONGEST_PERIOD);
  ExprRef count = host_loop_count(f->scan, f->frame, f->loop), result = values[period - 1];
  uint8_t width = expr_width(f->pool, count);
  ExprRef phase = period == 2 || period == 4 || period == 8
                      ? expr_binary(f->pool, EXPR_AND, 0, count, expr_const(f->pool, width, period - 1))
                      : expr_binary(f->pool, EXPR_UREM, 0, count, expr_const(f->pool, width, period));
  ExprRef sum = period > 1 ? progression(f, period, values, phase) : 0;
  if (sum) return sum;
  for (uint32_t i = period - 1; i > 0; i--)
    result =
        expr_ite(f->pool, expr_eq(f->pool, phase, expr_const(f->pool, width, i - 1)), values[i - 1], result);
  return result;
}

// x <- y <- z <- x: at iteration k the value of x is the k-th of x0, y0, z0, round and round.
bool host_classify_cycle(const HostFormer *f, HostLoop *state, HostPhi *first) {
  ASSERT(host_function_has_loop(f->frame->function, f->loop));
  HostPhi *members[HOST_LONGEST_PERIOD];
  ExprRef values[HOST_LONGEST_PERIOD], rotated[HOST_LONGEST_PERIOD];
  uint32_t length = 0;
  if (!first->placeholder) return false;
  for (HostPhi *at = first; at; at = phi_of(state, at->next)) {
    if (length && at == first) break;
    if (length == HOST_LONGEST_PERIOD || !at->placeholder) return false;
    members[length] = at;
    values[length++] = at->init;
  }
  if (length == 0 || phi_of(state, members[length - 1]->next) != first) return false;
  for (uint32_t m = 0; m < length; m++) {
    for (uint32_t i = 0; i < length; i++)
      rotated[i] = values[(m + i) % length];
    ExprRef form = host_periodic(f, length, rotated);
    host_set_form(f->scan, members[m]->placeholder, form);
  }
  for (uint32_t m = 0; m < length; m++)
    members[m]->placeholder = 0;
  return true;
}

// ---- values that change places
enum { MOST_SHUFFLED = 3, MOST_CASES = 32 };
typedef struct Shuffle {
  const HostFormer *former;
  HostLoop *state;
  HostPhi *members[MOST_SHUFFLED];
  uint32_t count, cases;
} Shuffle;

static bool add_member(Shuffle *s, ExprRef ref) {
  ExprNode node = *expr_node(s->former->pool, ref);
  if (node.op == EXPR_ITE) return add_member(s, node.b) && add_member(s, node.c);
  HostPhi *phi = phi_of(s->state, ref);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->members[i] == phi) return true;
  if (!phi || s->count == MOST_SHUFFLED) return false;
  s->members[s->count++] = phi;
  return true;
}

// In each case, does each of them get the value of another one?
static bool only_shuffles(Shuffle *s, const ExprRef *next) {
  ExprPool *pool = s->former->pool;
  ExprRef condition = 0, side[MOST_SHUFFLED];
  uint32_t taken = 0;
  if (++s->cases > MOST_CASES) return false;
  for (uint32_t i = 0; i < s->count && !condition; i++)
    if (expr_node(pool, next[i])->op == EXPR_ITE) condition = expr_node(pool, next[i])->a;
  for (uint32_t v = 0; condition && v < 2; v++) {
    for (uint32_t i = 0; i < s->count; i++)
      side[i] = host_replace(s->former->scan, next[i], condition, expr_bool(pool, v != 0));
    if (!only_shuffles(s, side)) return false;
  }
  for (uint32_t i = 0; i < s->count && !condition; i++)
    for (uint32_t k = 0; k < s->count; k++)
      if (next[i] == s->members[k]->placeholder) taken |= 1u << k;
  return condition || taken == (1u << s->count) - 1;
}

// The value of a member in the arrangement with this number.
static ExprRef arranged(const Shuffle *s, uint32_t member, uint32_t number) {
  uint32_t left[MOST_SHUFFLED], count = s->count, chosen = 0;
  for (uint32_t i = 0; i < count; i++)
    left[i] = i;
  for (uint32_t m = 0; m <= member; m++, count--) {
    uint32_t at = number % count;
    number /= count;
    chosen = left[at];
    for (uint32_t i = at; i + 1 < count; i++)
      left[i] = left[i + 1];
  }
  return s->members[chosen]->init;
}

// if (c) swap(x, y): they are the values on entry in some order, which is the same for all of them.
bool host_classify_shuffle(const HostFormer *f, HostLoop *state, HostPhi *first) {
  ASSERT(host_function_has_loop(f->frame->function, f->loop));
  Shuffle s = {.former = f, .state = state};
  ExprRef next[MOST_SHUFFLED], forms[MOST_SHUFFLED];
  if (!first->placeholder || !add_member(&s, first->placeholder)) return false;
  for (uint32_t i = 0; i < s.count; i++)
    if (!add_member(&s, s.members[i]->next)) return false;
  for (uint32_t i = 0; i < s.count; i++)
    next[i] = s.members[i]->next;
  if (s.count < 2 || !only_shuffles(&s, next)) return false;
  const ExprSym *info = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, first->placeholder)->value);
  HostUnknown unknown = {.frame = f->frame, .loop = f->loop, .width = 32, .loc = info->loc};
  unknown.name = arena_printf(f->scan->arena, "order of %s", info->name);
  unknown.hi = s.count == 2 ? 1 : 5;
  ExprRef order = host_unknown(f->scan, unknown);
  host_sym(f->scan, (uint32_t)expr_node(f->pool, order)->value)->hangs_on = next[0];
  for (uint32_t m = 0; m < s.count; m++) {
    forms[m] = arranged(&s, m, (uint32_t)unknown.hi);
    for (uint32_t i = (uint32_t)unknown.hi; i-- > 0;)
      forms[m] = expr_ite(f->pool, expr_eq(f->pool, order, expr_const(f->pool, 32, i)), arranged(&s, m, i),
                          forms[m]);
  }
  for (uint32_t m = 0; m < s.count; m++) {
    host_set_form(f->scan, s.members[m]->placeholder, forms[m]);
    s.members[m]->placeholder = 0;
  }
  return true;
}

// ---- two that are always the same
// `nx = ny = 100; for (..) if (..) nx = ny = atoi(..)`: equal on entry, and equal at the end of a round if
// they were at its start: equal in all of them, by induction (congruence of phis; Alpern, Wegman, Zadeck,
// POPL 1988). One of them stands for both.
bool host_classify_twin(const HostFormer *f, HostLoop *state, HostPhi *phi) {
  ASSERT(host_function_has_loop(f->frame->function, f->loop));
  if (!phi->placeholder) return false;
  ExprRef init = host_settle(f->scan, phi->init), next = host_settle(f->scan, phi->next);
  for (uint32_t i = 0; i < state->pending.count; i++) {
    const HostPhi *twin = &state->pending.items[i];
    if (twin == phi || !twin->placeholder || host_settle(f->scan, twin->init) != init) continue;
    if (expr_width(f->pool, twin->placeholder) != expr_width(f->pool, phi->placeholder)) continue;
    ExprRef one = host_replace(f->scan, next, phi->placeholder, twin->placeholder);
    ExprRef other =
        host_replace(f->scan, host_settle(f->scan, twin->next), phi->placeholder, twin->placeholder);
    if (one != other) continue;
    host_set_form(f->scan, phi->placeholder, twin->placeholder);
    phi->placeholder = 0;
    return true;
  }
  return false;
}
