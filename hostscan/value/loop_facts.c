// What is known of the values of a loop that have no closed form? Which way they go, bounds that hold from
// round to round, and how they go together: sizes that a program takes on (`left = blocks; blocks = (left +
// 255) / 256;`) keep a relation that none of them shows alone. Methods: matching on what a round makes of a
// value; bounds as candidates of which all that a round does not keep are taken out (Flanagan, Leino,
// "Houdini, an Annotation Assistant for ESC/Java", 2001); and each round but the first begins with what the
// one before has left: either all values are those on entry, or each is its value at the end of a round,
// computed from unknown values that are the same for all of them (one step of unrolling, Sheeran, Singh,
// Stalmarck, "Checking Safety Properties Using Induction and a SAT-Solver", 2000). Soundness: each fact holds
// on entry and is kept by every way through a round. Of the round before nothing is said but the ranges of
// its symbols, so that facts are weaker than what happens.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/form.h"
#include "core/bug.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

bool host_is_without_form(const HostFormer *f, const HostPhi *phi) {
  ASSERT(host_function_has_loop(f->frame->function, f->loop));
  return phi->placeholder && phi->init && phi->next && expr_width(f->pool, phi->placeholder) >= 8 &&
         host_settle(f->scan, phi->placeholder) == phi->placeholder;
}

void host_loop_side_fact(const HostFormer *f, ExprRef about, ExprRef condition) {
  ASSERT(expr_is_of(f->pool, condition));
  ASSERT(expr_width(f->pool, condition) == 1);
  uint32_t sym = (uint32_t)expr_node(f->pool, host_loop_count(f->scan, f->frame, f->loop))->value;
  host_side_fact(f->scan, about, condition, FACT_LOOP, expr_sym_info(f->pool, sym)->loc);
}

// ---- which way they go
bool host_is_at_least(HostScan *scan, ExprRef ref, ExprRef base) {
  ASSERT(expr_is_of(scan->pool, ref));
  ASSERT(expr_is_of(scan->pool, base));
  ExprNode node = *expr_node(scan->pool, ref);
  if (ref == base) return true;
  if (node.op == EXPR_ITE)
    return host_is_at_least(scan, node.b, base) && host_is_at_least(scan, node.c, base);
  if (node.op == EXPR_SYM) { // of a loop inside that never falls: not below what it begins with
    const HostSym *sym = host_sym(scan, (uint32_t)node.value);
    ExprRef begin = sym->next && sym->entering ? host_settle(scan, sym->entering) : ref;
    return begin != ref && expr_width(scan->pool, begin) == node.width && host_is_at_least(scan, begin, base);
  }
  if (node.op != EXPR_ADD || !(node.flags & (EXPR_NSW | EXPR_ADDRESS) || node.width == 64)) return false;
  if (host_is_natural(scan->pool, node.b) && host_is_at_least(scan, node.a, base)) return true;
  return host_is_natural(scan->pool, node.a) && host_is_at_least(scan, node.b, base);
}

// Between 0 and `base` if that is not negative: `base` divided, shifted, or cut to some of its bits.
static bool is_at_most(HostScan *scan, ExprRef ref, ExprRef base) {
  ExprNode node = *expr_node(scan->pool, ref);
  int64_t by = 0;
  if (ref == base) return true;
  if (node.op == EXPR_ITE) return is_at_most(scan, node.b, base) && is_at_most(scan, node.c, base);
  bool is_number = node.b && expr_is_const(scan->pool, node.b, &by) && by >= 1;
  bool is_division = node.op == EXPR_SDIV || node.op == EXPR_UDIV;
  bool is_shift = (node.op == EXPR_ASHR || node.op == EXPR_LSHR) && by < node.width;
  bool is_cut = is_number && (is_division || is_shift || node.op == EXPR_AND || node.op == EXPR_SREM ||
                              node.op == EXPR_UREM);
  return is_cut && is_at_most(scan, node.a, base);
}

// What only gets smaller stays between 0 and its first value.
static void note_falling(const HostFormer *f, const HostPhi *phi) {
  ExprRef next = host_settle(f->scan, phi->next), init = host_settle(f->scan, phi->init);
  int64_t lo = 0, hi = 0;
  expr_range(f->pool, init, &lo, &hi);
  if (lo < 0 || next == phi->placeholder) return;
  if (!is_at_most(f->scan, next, phi->placeholder)) return;
  ExprRef zero = expr_const(f->pool, expr_width(f->pool, init), 0);
  host_loop_side_fact(f, phi->placeholder, expr_binary(f->pool, EXPR_SLE, 0, zero, phi->placeholder));
  host_loop_side_fact(f, phi->placeholder, expr_binary(f->pool, EXPR_SLE, 0, phi->placeholder, init));
}

// `base` that is not negative, kept, added to, or multiplied, without overflow (A1 for words of 64 bits).
static bool grows(const HostFormer *f, ExprRef ref, ExprRef base) {
  ExprNode node = *expr_node(f->pool, ref);
  int64_t by = 0;
  if (ref == base) return true;
  if (node.op == EXPR_ITE) return grows(f, node.b, base) && grows(f, node.c, base);
  if (node.op == EXPR_ADD) return host_is_at_least(f->scan, ref, base);
  if (node.op != EXPR_MUL && node.op != EXPR_SHL) return false;
  bool is_number = (node.flags & EXPR_NSW) && expr_is_const(f->pool, node.b, &by);
  return is_number && by >= (node.op == EXPR_MUL) && grows(f, node.a, base);
}

// What only gets larger is never below its first value.
static void note_growing(const HostFormer *f, const HostPhi *phi) {
  ExprRef next = host_settle(f->scan, phi->next), init = host_settle(f->scan, phi->init);
  int64_t lo = 0, hi = 0;
  expr_range(f->pool, init, &lo, &hi);
  if (lo < 0 || next == phi->placeholder) return;
  if (!grows(f, next, phi->placeholder)) return;
  host_loop_side_fact(f, phi->placeholder, expr_binary(f->pool, EXPR_SLE, 0, init, phi->placeholder));
}

// The most that a round adds to `base`, which it keeps or adds a number to; -1: it does something else.
static int64_t pace_of(const HostFormer *f, ExprRef ref, ExprRef base) {
  ExprNode node = *expr_node(f->pool, ref);
  int64_t by = 0;
  if (ref == base) return 0;
  if (node.op == EXPR_ITE) {
    int64_t yes = pace_of(f, node.b, base), no = pace_of(f, node.c, base);
    return yes < 0 || no < 0 ? -1 : yes > no ? yes : no;
  }
  bool is_exact = node.op == EXPR_ADD && (node.flags & EXPR_NSW || node.width == 64);
  if (!is_exact || !expr_is_const(f->pool, node.b, &by) || by < 0 || by > INT32_MAX) return -1;
  int64_t before = pace_of(f, node.a, base);
  return before < 0 ? -1 : before + by;
}

// A number that grows by so much at most has not grown by more than that in each round.
static void note_pace(const HostFormer *f, const HostPhi *phi) {
  ExprRef next = host_settle(f->scan, phi->next), init = host_settle(f->scan, phi->init);
  int64_t pace = pace_of(f, next, phi->placeholder), lo = 0, hi = 0;
  expr_range(f->pool, init, &lo, &hi);
  if (pace < 1 || pace > INT32_MAX || lo < INT32_MIN || hi > INT32_MAX) return;
  ExprRef rounds = expr_resize_signed(f->pool, host_loop_count(f->scan, f->frame, f->loop), 64);
  ExprRef most = expr_binary(f->pool, EXPR_MUL, EXPR_NSW, rounds, expr_const(f->pool, 64, pace));
  most = expr_binary(f->pool, EXPR_ADD, EXPR_NSW, expr_resize_signed(f->pool, init, 64), most);
  host_loop_side_fact(
      f, phi->placeholder,
      expr_binary(f->pool, EXPR_SLE, 0, expr_resize_signed(f->pool, phi->placeholder, 64), most));
}

static void note_origin(const HostFormer *f, const HostPhi *phi) {
  HostSym *sym = host_sym(f->scan, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
  sym->entering = phi->init;
  sym->coming_round = phi->next;
}

static void note_rising(const HostFormer *f, const HostPhi *phi) {
  ExprNode node = *expr_node(f->pool, phi->placeholder);
  ExprRef next = host_settle(f->scan, phi->next);
  if (host_is_at_least(f->scan, next, phi->placeholder)) host_sym(f->scan, (uint32_t)node.value)->next = next;
}

// ---- bounds that hold from round to round
enum { LEAST = 1, BOUNDED_TOGETHER = 8 };

typedef struct Bounded {
  uint32_t count;
  const HostPhi *phis[BOUNDED_TOGETHER];
  ExprRef bounded[BOUNDED_TOGETHER]; // stands for the phi in a round that it begins with at least one
} Bounded;

static bool stays_bounded(const HostFormer *f, const Bounded *b, const HostPhi *phi) {
  ExprRef next = host_settle(f->scan, phi->next);
  int64_t lo = 0, hi = 0;
  for (uint32_t i = 0; i < b->count; i++)
    next = host_replace(f->scan, next, b->phis[i]->placeholder, b->bounded[i]);
  expr_range(f->pool, next, &lo, &hi);
  return lo >= LEAST;
}

// Those that a round leaves at one or above if it begins so with all of them: what does not stay so is
// taken out until nothing changes (Flanagan, Leino, "Houdini, an Annotation Assistant for ESC/Java", 2001).
static void keep_bounded(const HostFormer *f, Bounded *b) {
  for (uint32_t i = 0; i < b->count;) {
    if (stays_bounded(f, b, b->phis[i])) {
      i++;
      continue;
    }
    b->count--;
    b->phis[i] = b->phis[b->count];
    b->bounded[i] = b->bounded[b->count];
    i = 0;
  }
}

// Are the one at `index` and all that it is computed from at least one on entry?
static ExprRef enters_bounded(const HostFormer *f, const Bounded *b, uint32_t index) {
  ExprRef enter = expr_bool(f->pool, true);
  uint32_t met[BOUNDED_TOGETHER] = {index}, count = 1;
  bool is_met[BOUNDED_TOGETHER] = {[0] = false};
  is_met[index] = true;
  for (uint32_t m = 0; m < count; m++) {
    const HostPhi *phi = b->phis[met[m]];
    ExprRef init = host_settle(f->scan, phi->init), next = host_settle(f->scan, phi->next);
    ExprRef bound = expr_const(f->pool, expr_width(f->pool, init), LEAST);
    enter = expr_and(f->pool, enter, expr_binary(f->pool, EXPR_SLE, 0, bound, init));
    for (uint32_t i = 0; i < b->count; i++) {
      uint32_t sym = (uint32_t)expr_node(f->pool, b->phis[i]->placeholder)->value;
      if (is_met[i] || !host_mentions(f->scan, next, sym)) continue;
      is_met[i] = true;
      met[count++] = i;
    }
  }
  return enter;
}

// If all that it hangs on begins with at least one, it always is (block counts, strides).
static void note_bounded(const HostFormer *f, const HostLoop *state) {
  Bounded b = {0};
  for (uint32_t i = 0; i < state->pending.count && b.count < BOUNDED_TOGETHER; i++) {
    const HostPhi *phi = &state->pending.items[i];
    if (!host_is_without_form(f, phi) || host_settle(f->scan, phi->next) == phi->placeholder) continue;
    const ExprSym *sym = expr_sym_info(f->pool, (uint32_t)expr_node(f->pool, phi->placeholder)->value);
    if (sym->hi < LEAST) continue;
    HostUnknown unknown = {
        .frame = f->frame, .loop = f->loop, .width = sym->width, .lo = LEAST, .hi = sym->hi};
    b.phis[b.count] = phi;
    b.bounded[b.count++] = host_unknown(f->scan, unknown);
  }
  keep_bounded(f, &b);
  for (uint32_t i = 0; i < b.count; i++) {
    ExprRef phi = b.phis[i]->placeholder, bound = expr_const(f->pool, expr_width(f->pool, phi), LEAST);
    ExprRef holds = expr_binary(f->pool, EXPR_SLE, 0, bound, phi);
    host_loop_side_fact(f, phi, expr_or(f->pool, expr_not(f->pool, enters_bounded(f, &b, i)), holds));
  }
}

// ---- how they go together
enum { MOST_TIED = 4, MOST_BEFORE = 8, MOST_WEIGHT = 200 };

typedef struct Ties {
  HostScan *scan;
  const HostFrame *frame;
  uint32_t loop;
  uint32_t tied_count, before_count; // one more than fits: too many
  uint32_t tied[MOST_TIED + 1];      // symbols of values that are computed from one another
  uint32_t before[MOST_BEFORE + 1];  // symbols that those are computed from
} Ties;

static void add(uint32_t *list, uint32_t *count, uint32_t limit, uint32_t sym) {
  for (uint32_t i = 0; i < *count; i++)
    if (list[i] == sym) return;
  if (*count <= limit) list[(*count)++] = sym;
}

static bool note_varying(void *context, uint32_t sym) {
  Ties *ties = context;
  if (!host_sym_varies(ties->scan, sym, ties->frame, ties->loop)) return true;
  add(ties->before, &ties->before_count, MOST_BEFORE, sym);
  const HostSym *known = host_sym(ties->scan, sym);
  if (known->coming_round && known->frame == ties->frame && known->loop == ties->loop)
    add(ties->tied, &ties->tied_count, MOST_TIED, sym);
  return true;
}

typedef struct AddressSearch {
  HostScan *scan;
  bool found;
} AddressSearch;

static bool look_for_address(void *context, uint32_t sym) {
  AddressSearch *search = context;
  const HostSym *known = host_sym(search->scan, sym);
  search->found |= known->object || known->is_any_address;
  return !search->found;
}

// Which object a pointer is in is followed elsewhere (origins.c).
static bool is_number(HostScan *scan, ExprRef ref) {
  AddressSearch search = {scan, false};
  host_each_sym(scan, ref, look_for_address, &search);
  return !search.found;
}

static ExprRef unknown_before(const Ties *ties, uint32_t sym) {
  const ExprSym *info = expr_sym_info(ties->scan->pool, sym);
  const HostSym *known = host_sym(ties->scan, sym);
  HostUnknown unknown = {.frame = known->frame,
                         .loop = known->loop,
                         .width = info->width,
                         .name = arena_printf(ties->scan->arena, "%s of the round before", info->name),
                         .loc = info->loc,
                         .lo = info->lo,
                         .hi = info->hi};
  return host_unknown(ties->scan, unknown);
}

static void note_last_round(const HostFormer *f, const HostPhi *phi) {
  HostScan *scan = f->scan;
  ExprRef value = phi->placeholder;
  Ties ties = {.scan = scan, .frame = f->frame, .loop = f->loop};
  ExprRef first = expr_bool(scan->pool, true), later = first, before[MOST_BEFORE];
  if (expr_node(scan->pool, value)->op != EXPR_SYM) return;
  uint32_t symbol = (uint32_t)expr_node(scan->pool, value)->value;
  add(ties.tied, &ties.tied_count, MOST_TIED, symbol);
  for (uint32_t i = 0; i < ties.tied_count && i < MOST_TIED; i++)
    host_each_sym(scan, host_settle(scan, host_sym(scan, ties.tied[i])->coming_round), note_varying, &ties);
  if (ties.tied_count < 2 || ties.tied_count > MOST_TIED || ties.before_count > MOST_BEFORE) return;
  for (uint32_t i = 0; i < ties.before_count; i++)
    before[i] = unknown_before(&ties, ties.before[i]);
  for (uint32_t i = 0; i < ties.tied_count; i++) {
    const HostSym known = *host_sym(scan, ties.tied[i]);
    ExprRef sym = expr_sym(scan->pool, ties.tied[i]), next = host_settle(scan, known.coming_round);
    ExprRef entering = host_settle(scan, known.entering);
    if (!is_number(scan, next) || !is_number(scan, entering)) return;
    for (uint32_t k = 0; k < ties.before_count; k++)
      next = host_replace(scan, next, expr_sym(scan->pool, ties.before[k]), before[k]);
    first = expr_and(scan->pool, first, expr_eq(scan->pool, sym, entering));
    later = expr_and(scan->pool, later, expr_eq(scan->pool, sym, next));
  }
  ExprRef fact = expr_or(scan->pool, first, later);
  if (host_weight(scan, fact) > MOST_WEIGHT) return;
  host_side_fact(scan, value, fact, FACT_LOOP, expr_sym_info(scan->pool, symbol)->loc);
}

void host_note_loop_facts(HostScan *scan, HostFrame *frame, uint32_t loop) {
  ASSERT(frame->function);
  ASSERT(host_function_has_loop(frame->function, loop));
  const HostLoop *state = &frame->loops[loop];
  HostFormer facts = {.scan = scan, .pool = scan->pool, .frame = frame, .loop = loop};
  static void (*const notes[])(const HostFormer *, const HostPhi *) = {
      note_origin, note_rising, note_falling, note_growing, note_pace, note_last_round};
  for (uint32_t n = 0; n < sizeof notes / sizeof notes[0]; n++)
    for (uint32_t i = 0; i < state->pending.count; i++)
      if (host_is_without_form(&facts, &state->pending.items[i])) notes[n](&facts, &state->pending.items[i]);
  note_bounded(&facts, state);
}
