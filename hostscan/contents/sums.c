// Does an array that a loop fills rise, or keep away from what is negative? Method: in what a round stores, or makes of a
// value that goes on to the next round, each content of an array of which it is seen that none of its elements is
// negative is put as an unknown number that is not negative; then the text of the sum decides (loop_facts.c). Of
// the array that is filled itself this is an induction over the rounds: nothing in it is negative before the loop,
// and what a round stores is not negative if nothing was at its start.
// Soundness: over-approximates: only this store changes the array in the loop, and sums do not wrap (A1); what nobody has
// written is not read (A12). A content counts as of the place where it was read, not as of the store.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/fill.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

// Not negative, in all cases, if somebody wrote it (A12).
static bool is_natural(HostScan *scan, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  if (host_is_uninitialised(scan, value)) return true;
  if (node.op == EXPR_ITE) return is_natural(scan, node.b) && is_natural(scan, node.c);
  return host_is_natural(scan->pool, value);
}

// ---- what is not negative

// Of all elements of the array, where the symbol was read in it.
static bool is_natural_there(HostScan *scan, const HostSym *sym, HostCell cell) {
  ExprRef there = fill_content(scan, sym, cell);
  return there && !host_is_uninitialised(scan, there) && is_natural(scan, there);
}

// What lay somewhere in the array that is filled, at the start of a round or just behind the store?
static bool is_of_round(const Fill *fill, uint32_t symbol) {
  const HostSym *sym = host_sym(fill->scan, symbol);
  bool is_behind = sym->place == 1 + PLACE_AFTER && sym->place_frame == fill->store->frame &&
                   sym->place_index == fill->store->inst;
  return is_behind ||
         fill_is_at_header(fill->scan, (HostLoopPlace){fill->frame, fill->loop}, symbol, fill->cell);
}

static bool is_natural_content(const Fill *fill, uint32_t symbol) {
  HostScan *scan = fill->scan;
  const HostSym sym = *host_sym(scan, symbol);
  uint8_t width = expr_sym_info(scan->pool, symbol)->width;
  if (!sym.holder || !sym.place || width < 8) return false;
  HostCell cell = {scan->objects.items[sym.holder].leaf, host_element(scan), width / 8, IR_INT};
  if (cell.base == fill->cell.base)
    return fill->keeps_natural && cell.bytes == fill->cell.bytes && is_of_round(fill, symbol);
  return host_is_cell_size(cell.bytes) && is_natural_there(scan, &sym, cell);
}

// A value that goes on from round to round, begins with what is not negative, and never falls.
static bool is_natural_round(const Fill *fill, uint32_t symbol) {
  HostScan *scan = fill->scan;
  const HostSym sym = *host_sym(scan, symbol);
  return sym.frame == fill->frame && sym.loop == fill->loop && sym.entering && sym.coming_round &&
         host_is_natural(scan->pool, host_settle(scan, sym.entering)) && fill_rising(fill, symbol);
}

// With numbers that are not negative in place of all symbols but one that are known to be none.
static ExprRef with_naturals(const Fill *fill, ExprRef ref, uint32_t except, bool with_rounds) {
  HostScan *scan = fill->scan;
  IndexList syms = host_list_syms(scan, scan->arena, ref);
  for (uint32_t i = 0; i < syms.count; i++) {
    uint32_t sym = syms.items[i];
    const ExprSym *info = expr_sym_info(scan->pool, sym);
    if (sym == except || info->lo >= 0) continue;
    if (!is_natural_content(fill, sym) && !(with_rounds && is_natural_round(fill, sym))) continue;
    HostUnknown natural = {.width = info->width, .name = info->name, .loop = CFG_NONE};
    natural.hi = INT64_MAX >> (64 - info->width);
    ref = host_replace(scan, ref, expr_sym(scan->pool, sym), host_unknown(scan, natural));
  }
  return ref;
}

ExprRef fill_rising(const Fill *fill, uint32_t symbol) {
  HostScan *scan = fill->scan;
  const HostSym sym = *host_sym(scan, symbol);
  if (sym.next || !sym.coming_round) return sym.next;
  ExprRef next = host_settle(scan, sym.coming_round);
  if (host_weight(scan, next) > HOST_HEAVY) return 0;
  ExprRef at_least = with_naturals(fill, next, symbol, false);
  return host_is_at_least(scan, at_least, expr_sym(scan->pool, symbol)) ? next : 0;
}

void fill_note_naturals(Fill *fill) {
  HostScan *scan = fill->scan;
  if (!fill->before || !fill->store->value || fill->store->bytes != fill->cell.bytes ||
      host_is_uninitialised(scan, fill->before) || !is_natural(scan, fill->before))
    return;
  fill->keeps_natural = true;
  ExprRef stored = host_settle(scan, fill->store->value);
  fill->keeps_natural = host_weight(scan, stored) <= HOST_HEAVY &&
                        host_is_natural(scan->pool, with_naturals(fill, stored, UINT32_MAX, true));
}

// ---- running sums

static bool is_at(const Fill *fill, ExprRef value, int64_t bytes) {
  int64_t apart = 0;
  return fill_is_beside(fill, value, &apart) && apart == bytes;
}

ExprRef fill_counted(const Fill *fill) {
  HostScan *scan = fill->scan;
  if (!fill->keeps_natural) return 0;
  ExprNode sum = *expr_node(scan->pool, host_settle(scan, fill->store->value));
  if (sum.op != EXPR_ADD || (!is_at(fill, sum.a, 0) && !is_at(fill, sum.b, 0))) return 0;
  const FillStore *store = fill->store;
  ExprSym info = {
      .name = "count", .width = sum.width, .kind = SYM_HOST_VALUE, .hi = INT64_MAX >> (64 - sum.width)};
  info.loc = host_loc(scan, store->frame, &store->frame->function->ir->insts.items[store->inst]);
  uint32_t func = 0;
  return host_function_of_element(scan, &info, &func);
}

// What the element before holds, somewhere in the sum.
static ExprRef last_in(const Fill *fill, ExprRef sum, int64_t stride, int depth) {
  ExprNode node = *expr_node(fill->scan->pool, sum);
  if (is_at(fill, sum, -stride)) return sum;
  if (node.op != EXPR_ADD || depth == 0) return 0;
  ExprRef found = last_in(fill, node.a, stride, depth - 1);
  return found ? found : last_in(fill, node.b, stride, depth - 1);
}

// What is said of a round, said of another one; 0: not all in it is known as a function of rounds.
static ExprRef of_round(const Fill *fill, ExprRef said, ExprRef round, ExprRef other) {
  HostScan *scan = fill->scan;
  uint32_t element = (uint32_t)expr_node(scan->pool, host_element(scan))->value;
  ExprRef none = expr_const(scan->pool, expr_width(scan->pool, round), 0);
  if (host_mentions(scan, host_replace(scan, said, round, none), element)) return 0;
  return host_replace(scan, said, round, other);
}

// The step behind the element, too, if the loop makes it: what another array holds may end there (`first[i] + length[i]`).
static void keep_next_step(Fill *fill, uint32_t func, ExprRef step, ExprRef round) {
  ExprPool *pool = fill->scan->pool;
  uint8_t width = expr_width(pool, round);
  ExprRef rounds = host_loop_count(fill->scan, fill->frame, fill->loop), none = expr_const(pool, width, 0);
  ExprRef later = expr_binary(pool, EXPR_ADD, EXPR_NSW, round, expr_const(pool, width, 1));
  ExprRef next = of_round(fill, step, round, later), first = of_round(fill, step, round, none);
  if (!next || !first || host_weight(fill->scan, next) > HOST_HEAVY / 4) return;
  ExprRef is_last = expr_binary(pool, EXPR_SLE, 0, rounds, later);
  fill_keep(fill, expr_or(pool, is_last, next));
  host_fill_fact(fill->scan, func, expr_or(pool, expr_binary(pool, EXPR_SLE, 0, rounds, none), first));
}

// The elements are a rising function of the iteration, which begins with what lay before the first that is written.
ExprRef fill_running_sum(Fill *fill, ExprRef *before) {
  enum { DEPTH = 5 };
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  if (!fill->store->value || fill->store->bytes != fill->cell.bytes) return 0;
  ExprRef start = 0, value = host_settle(scan, fill->store->value);
  int64_t stride = 0;
  if (expr_node(pool, value)->op != EXPR_ADD || !fill_is_in_steps(fill, &start, &stride)) return 0;
  ExprRef last = last_in(fill, value, stride, DEPTH);
  uint32_t symbol = last ? (uint32_t)expr_node(pool, last)->value : 0;
  if (!last || !host_is_at_least(scan, with_naturals(fill, value, symbol, true), last)) return 0;
  bool varies = false;
  ExprFunc info = {.name = host_object_of(scan, fill->cell.base)->name,
                   .width = expr_width(pool, value),
                   .kind = SYM_HOST_VALUE,
                   .is_monotone = true};
  uint32_t func = expr_new_func(pool, info);
  ExprRef count = fill_then(fill, host_loop_count(scan, fill->frame, fill->loop), &varies);
  ExprRef one = expr_const(pool, expr_width(pool, count), 1),
          none = expr_const(pool, expr_width(pool, count), 0);
  ExprRef later = expr_binary(pool, EXPR_ADD, EXPR_NSW, count, one);
  ExprRef now = expr_app(pool, func, 1, &count), made = expr_app(pool, func, 1, &later);
  vec_push(scan->arena, &fill->varying, (FillVarying){symbol, now});
  ExprRef step = expr_eq(pool, made, fill_then(fill, value, &varies));
  fill_keep(fill, step);
  keep_next_step(fill, func, step, count);
  // What lay there first.
  ExprRef first =
      host_gather(scan, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, start, expr_const(pool, 64, stride)));
  ExprRef there = host_at_element(scan, *before, first);
  ExprRef begin = expr_app(pool, func, 1, &none);
  *before = expr_ite(pool, expr_eq(pool, fill->cell.offset, first), begin, *before);
  host_fill_fact(scan, func, expr_eq(pool, begin, there));
  return made;
}
