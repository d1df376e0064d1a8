// What was a value of the host when a store in a loop wrote the element of an array of which it is not said which one? What
// changes from round to round is a function of the round, the same one for all arrays that the loop fills, or of the
// rounds of all loops around its place; else of the element. Functions of the round begin with what the value is on
// entry and end with what the loop leaves; they rise if no round makes less of the value. What the array itself held at a
// place that the steps of the store have not come to yet is what lay there before the loop.
// Soundness: over-approximates: of what is not understood nothing is known.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/fill.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

void fill_keep(Fill *fill, ExprRef condition) {
  ExprPool *pool = fill->scan->pool;
  host_fill_fact(fill->scan, fill->anchor, expr_or(pool, expr_not(pool, fill->wrote), condition));
}

static bool find_varying(void *context, uint32_t sym) {
  Fill *fill = context;
  if (host_sym_varies(fill->scan, sym, fill->frame, fill->loop))
    vec_push(fill->scan->arena, &fill->found, sym);
  return true;
}

static ExprRef value_then(Fill *fill, uint32_t sym);

// Does it change in this loop alone, not in one inside?
static bool varies_only_here(const Fill *fill, uint32_t sym) {
  const HostFrame *at = fill->scan->syms.items[sym].frame;
  uint32_t loop = fill->scan->syms.items[sym].loop;
  for (; at && at != fill->frame; at = at->parent) {
    if (loop != CFG_NONE || !at->parent) return false;
    loop = at->parent->function->cfg->loop_of[at->parent->function->ir->insts.items[at->call].block];
  }
  return at && loop == fill->loop;
}

// What the function of a value that goes on from round to round is in the first one, and where the loop is left.
static void keep_ends(const Fill *fill, uint32_t sym, uint32_t func) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  if (!host_sym(scan, sym)->coming_round) return;
  ExprRef count = host_loop_count(scan, fill->frame, fill->loop);
  ExprRef none = expr_const(pool, expr_width(pool, count), 0);
  ExprRef entering = host_sym(scan, sym)->entering ? host_settle(scan, host_sym(scan, sym)->entering) : 0;
  host_fill_fact(scan, func, expr_eq(pool, expr_app(pool, func, 1, &count), expr_sym(pool, sym)));
  if (entering && !host_varies_in(scan, entering, fill->frame, fill->loop))
    host_fill_fact(scan, func, expr_eq(pool, expr_app(pool, func, 1, &none), entering));
}

static uint32_t function_of_rounds(const Fill *fill, uint32_t sym, bool is_rising) {
  HostScan *scan = fill->scan;
  HostSym *known = host_sym(scan, sym);
  uint32_t *made = is_rising ? &known->by_rising : &known->by_iteration;
  if (!*made) {
    ExprFunc info = host_function_like(expr_sym_info(scan->pool, sym));
    info.is_monotone = is_rising;
    *made = expr_new_func(scan->pool, info) + 1;
    host_note_origin(scan, (HostFuncOrigin){.func = *made - 1, .sym = sym});
    keep_ends(fill, sym, *made - 1);
  }
  return *made - 1;
}

// A value of the loop is a function of the iteration number, for all arrays that the loop fills; a rising one
// if it never falls. Then one step of it is known, too.
static ExprRef by_iteration(Fill *fill, uint32_t sym) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  ExprRef number = host_loop_count(scan, fill->frame, fill->loop);
  if (expr_sym(pool, sym) == number || !varies_only_here(fill, sym)) return 0;
  ExprRef next = fill_rising(fill, sym);
  uint32_t func = function_of_rounds(fill, sym, next != 0);
  bool varies = false;
  ExprRef count = fill_then(fill, number, &varies), now = expr_app(pool, func, 1, &count);
  vec_push(scan->arena, &fill->varying, (FillVarying){sym, now});
  if (!next) return now;
  ExprRef later = expr_binary(pool, EXPR_ADD, EXPR_NSW, count, expr_const(pool, expr_width(pool, count), 1));
  fill_keep(fill, expr_eq(pool, expr_app(pool, func, 1, &later), fill_then(fill, next, &varies)));
  return now;
}

enum { MOST_LOOPS = 4 };

// The iteration numbers of all loops that the symbol is in, from its own out to that of the fill; their count, 0: too many, or it
// is one of these numbers itself.
static uint32_t loops_around(const Fill *fill, uint32_t symbol, ExprRef *counts) {
  HostScan *scan = fill->scan;
  HostFrame *at = host_sym(scan, symbol)->frame;
  uint32_t loop = host_sym(scan, symbol)->loop, count = 0;
  while (at) {
    const Cfg *cfg = at->function->cfg;
    for (; loop != CFG_NONE; loop = cfg->loops.items[loop].parent) {
      if (count == MOST_LOOPS) return 0;
      counts[count] = host_loop_count(scan, at, loop);
      if (counts[count++] == expr_sym(scan->pool, symbol)) return 0;
      if (at == fill->frame && loop == fill->loop) return count;
    }
    if (at == fill->frame || !at->parent) return 0;
    loop = at->parent->function->cfg->loop_of[at->parent->function->ir->insts.items[at->call].block];
    at = at->parent;
  }
  return 0;
}

// A value of a loop in the loop is a function of the iteration numbers of both: what is computed in one iteration is one value.
static ExprRef by_iterations(Fill *fill, uint32_t sym) {
  HostScan *scan = fill->scan;
  ExprRef counts[MOST_LOOPS];
  uint32_t count = loops_around(fill, sym, counts);
  if (count < 2) return 0;
  HostKey key = {{MEMO_BY_ROUNDS, sym, fill->loop, fill->frame->id}};
  uint32_t func = host_map_get(&scan->memo, key);
  if (!func) {
    func = expr_new_func(scan->pool, host_function_like(expr_sym_info(scan->pool, sym))) + 1;
    host_map_put(&scan->memo, key, func);
    host_note_origin(scan, (HostFuncOrigin){.func = func - 1, .sym = sym});
  }
  bool varies = false;
  for (uint32_t i = 0; i < count; i++)
    counts[i] = fill_then(fill, counts[i], &varies);
  ExprRef value = expr_app(scan->pool, func - 1, count, counts);
  vec_push(scan->arena, &fill->varying, (FillVarying){sym, value});
  return value;
}

// Is the store behind the loop of the symbol, which stands for what that loop has left, then?
static bool is_behind_loop(const Fill *fill, const HostSym *sym) {
  if (!fill->store || sym->frame != fill->frame || sym->loop == CFG_NONE) return false;
  const HostFunction *function = fill->frame->function;
  return !cfg_loop_contains(function->cfg, sym->loop, function->ir->insts.items[fill->store->top].block);
}

// What a loop inside has left in a value that goes on from round to round, and never falls: what the value is in the next round
// (`for (..) { for (..) if (..) n++; offset[i + 1] = n; }`). It begins with what it is on entry.
static ExprRef by_coming_round(Fill *fill, uint32_t sym) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  const HostSym inner = *host_sym(scan, sym);
  ExprRef begin = inner.entering ? host_settle(scan, inner.entering) : 0;
  if (!begin || expr_node(pool, begin)->op != EXPR_SYM || !is_behind_loop(fill, &inner)) return 0;
  uint32_t outer = (uint32_t)expr_node(pool, begin)->value;
  const HostSym around = *host_sym(scan, outer);
  if (!around.next || host_settle(scan, around.next) != expr_sym(pool, sym)) return 0;
  if (!varies_only_here(fill, outer) || !value_then(fill, outer) || !fill_rising(fill, outer)) return 0;
  bool varies = false;
  uint32_t func = function_of_rounds(fill, outer, true);
  ExprRef count = fill_then(fill, host_loop_count(scan, fill->frame, fill->loop), &varies);
  ExprRef later = expr_binary(pool, EXPR_ADD, EXPR_NSW, count, expr_const(pool, expr_width(pool, count), 1));
  ExprRef value = expr_app(pool, func, 1, &later);
  vec_push(scan->arena, &fill->varying, (FillVarying){sym, value});
  return value;
}

// What lay in the array itself at a place that the steps of the store have not come to: what lay there before the loop.
static ExprRef by_place(Fill *fill, uint32_t sym) {
  HostScan *scan = fill->scan;
  int64_t stride = 0, bytes = fill->cell.bytes, apart = 0;
  ExprRef start = 0, content = expr_sym(scan->pool, sym);
  if (!fill->before || !fill_is_beside(fill, content, &apart) || !fill_is_in_steps(fill, &start, &stride))
    return 0;
  bool is_ahead = stride >= bytes ? apart >= 0 : stride <= -bytes && apart <= 0;
  if (!is_ahead || fill->store->bytes != fill->cell.bytes) return 0;
  ExprRef place = host_add_offset(scan, fill->cell.offset, expr_const(scan->pool, 64, apart));
  ExprRef value = apart == 0 ? fill->before : host_at_element(scan, fill->before, place);
  vec_push(scan->arena, &fill->varying, (FillVarying){sym, value});
  return value;
}

// What was read in front of the loop, at one place of the program, is a function of where in the array that is.
static ExprRef by_offset(Fill *fill, uint32_t symbol) {
  HostScan *scan = fill->scan;
  const HostSym sym = *host_sym(scan, symbol);
  if (!sym.holder || !sym.place || !sym.cell_offset || sym.place == 1 + PLACE_END ||
      fill_is_read_in(&sym, (HostLoopPlace){fill->frame, fill->loop}))
    return 0;
  const ExprSym *info = expr_sym_info(scan->pool, symbol);
  HostKey key = {{MEMO_READ, sym.holder, sym.place_frame->id, sym.place_index, sym.place, info->width}};
  uint32_t func = host_map_get(&scan->memo, key);
  if (!func) {
    func = expr_new_func(scan->pool, host_function_like(info)) + 1;
    host_map_put(&scan->memo, key, func);
    host_note_origin(scan, (HostFuncOrigin){.func = func - 1, .sym = symbol});
  }
  bool varies = false;
  ExprRef offset = fill_then(fill, sym.cell_offset, &varies),
          value = expr_app(scan->pool, func - 1, 1, &offset);
  vec_push(scan->arena, &fill->varying, (FillVarying){symbol, value});
  return value;
}

// In an array where the loop counts, or with what another loop has counted.
static ExprRef by_count(Fill *fill, uint32_t sym) {
  ExprRef value = fill_number(fill, sym);
  if (!value) value = fill_counted_before(fill, sym);
  if (value) vec_push(fill->scan->arena, &fill->varying, (FillVarying){sym, value});
  return value;
}

// The round of a store of numbers that goes by steps is where in the array the element is. (Allocations are told apart by functions.)
static ExprRef by_steps(Fill *fill, uint32_t sym) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  ExprRef count = host_loop_count(scan, fill->frame, fill->loop), start = 0;
  int64_t stride = 0, first = 0;
  bool is_asked = expr_sym(pool, sym) == count && fill->cell.offset == scan->element &&
                  fill->cell.kind != IR_PTR && fill->store && fill->store->bytes == fill->cell.bytes;
  if (!is_asked || !fill_is_in_steps(fill, &start, &stride) ||
      !expr_is_const(pool, host_settle(scan, start), &first) || stride <= 0 || first % stride != 0)
    return 0;
  ExprRef round = expr_binary(pool, EXPR_SDIV, 0, scan->element, expr_const(pool, 64, stride));
  round = expr_binary(pool, EXPR_SUB, EXPR_NSW, round, expr_const(pool, 64, first / stride));
  ExprRef value = expr_resize_signed(pool, round, expr_width(pool, count));
  vec_push(scan->arena, &fill->varying, (FillVarying){sym, value});
  fill_keep(fill, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, first), scan->element));
  return value;
}

static ExprRef value_then(Fill *fill, uint32_t sym) {
  for (uint32_t i = 0; i < fill->varying.count; i++)
    if (fill->varying.items[i].sym == sym) return fill->varying.items[i].then;
  ExprRef value = by_steps(fill, sym);
  if (!value) value = by_place(fill, sym);
  if (!value) value = by_count(fill, sym);
  if (!value) value = by_iteration(fill, sym);
  if (!value) value = by_coming_round(fill, sym);
  if (!value) value = by_iterations(fill, sym);
  if (!value) value = by_offset(fill, sym);
  if (value) return value;
  uint32_t func = 0;
  ExprSym info = *expr_sym_info(fill->scan->pool, sym);
  value = host_function_of_element(fill->scan, &info, &func);
  host_note_origin(fill->scan, (HostFuncOrigin){.func = func, .sym = sym});
  vec_push(fill->scan->arena, &fill->varying, (FillVarying){sym, value});
  return value;
}

// The expression as it was when the element was written.
ExprRef fill_then(Fill *fill, ExprRef ref, bool *varies) {
  HostScan *scan = fill->scan;
  ref = host_settle(scan, ref);
  fill->found.count = 0;
  host_each_sym(scan, ref, find_varying, fill);
  *varies = fill->found.count > 0;
  uint32_t count = fill->found.count;
  uint32_t *found = arena_copy(scan->arena, fill->found.items, count * sizeof *found);
  ExprRef *values = arena_array(scan->arena, count + 1u, ExprRef);
  for (uint32_t i = 0; i < count; i++)
    values[i] = value_then(fill, found[i]);
  for (uint32_t i = 0; i < count; i++)
    ref = host_replace(scan, ref, expr_sym(scan->pool, found[i]), values[i]);
  return ref;
}

// The instruction in front of which the symbol was what it is; CFG_NONE: not seen.
static uint32_t place_of(const HostSym *sym) {
  const HostFunction *function = sym->place_frame->function;
  const IrInst *insts = function->ir->insts.items;
  uint32_t block = sym->place_index;
  if (sym->place == 1 + PLACE_AFTER) {
    uint32_t next = sym->place_index + 1;
    return next < function->ir->insts.count && insts[next].block == insts[next - 1].block ? next : CFG_NONE;
  }
  if (sym->place == 1 + PLACE_HEADER)
    block = function->cfg->loops.items[block].header;
  else if (sym->place != 1 + PLACE_START)
    return CFG_NONE;
  uint32_t first = function->ir->blocks.items[block].first;
  while (insts[first].op == IR_PHI)
    first++;
  return first;
}

bool fill_is_read_in(const HostSym *sym, HostLoopPlace loop) {
  const HostFrame *at = sym->place_frame;
  uint32_t block = sym->place_index;
  if (sym->place == 1 + PLACE_HEADER) block = at->function->cfg->loops.items[block].header;
  if (sym->place == 1 + PLACE_AFTER) block = at->function->ir->insts.items[block].block;
  if (sym->place == 1 + PLACE_ENTRY) block = 0;
  for (; at; at = at->parent) {
    if (at == loop.frame) return cfg_loop_contains(at->function->cfg, loop.loop, block);
    if (at->parent) block = at->parent->function->ir->insts.items[at->call].block;
  }
  return false;
}

ExprRef fill_content(HostScan *scan, const HostSym *sym, HostCell cell) {
  uint32_t inst = place_of(sym);
  return inst == CFG_NONE ? 0 : host_settle(scan, host_cell_before(scan, sym->place_frame, inst, cell));
}

bool fill_is_at_header(HostScan *scan, HostLoopPlace loop, uint32_t symbol, HostCell cell) {
  const HostSym *sym = host_sym(scan, symbol);
  return sym->cell_offset && sym->is_placeholder && sym->frame == loop.frame && sym->loop == loop.loop &&
         scan->objects.items[sym->holder].leaf == cell.base;
}

bool fill_is_beside(const Fill *fill, ExprRef value, int64_t *bytes) {
  HostScan *scan = fill->scan;
  ExprNode node = *expr_node(scan->pool, value);
  HostLoopPlace loop = {fill->frame, fill->loop};
  if (node.op != EXPR_SYM || node.width != fill->cell.bytes * 8 ||
      !fill_is_at_header(scan, loop, (uint32_t)node.value, fill->cell))
    return false;
  ExprRef place = host_sym(scan, (uint32_t)node.value)->cell_offset;
  ExprRef distance = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, place, fill->store->offset);
  return expr_is_const(scan->pool, host_gather(scan, host_settle(scan, distance)), bytes);
}

// Is it executed whenever control goes through the frame of the loop at `top`?
bool fill_is_always_made(const Fill *fill) {
  uint32_t inst = fill->store->inst;
  for (const HostFrame *at = fill->store->frame; at != fill->frame; inst = at->call, at = at->parent) {
    const HostFunction *function = at->function;
    uint32_t block = function->ir->insts.items[inst].block;
    if (function->cfg->loop_of[block] != CFG_NONE) return false;
    for (uint32_t i = 0; i < function->returns.count; i++)
      if (!cfg_dominates(function->cfg, block, function->returns.items[i])) return false;
  }
  const Cfg *cfg = fill->frame->function->cfg;
  const CfgLoop *info = &cfg->loops.items[fill->loop];
  uint32_t block = fill->frame->function->ir->insts.items[fill->store->top].block;
  if (cfg->loop_of[block] != fill->loop) return false;
  for (uint32_t i = 0; i < info->latches.count; i++)
    if (!cfg_dominates(cfg, block, info->latches.items[i])) return false;
  return true;
}

// The store writes one word, or one piece of the same length, after another: from `start` + `stride` * iteration on.
bool fill_is_in_steps(Fill *fill, ExprRef *start, int64_t *stride) {
  HostScan *scan = fill->scan;
  ExprRef count = host_loop_count(scan, fill->frame, fill->loop), offset = fill->store->offset;
  bool is_longer = fill->cell.kind == IR_PTR && fill->store->bytes > fill->cell.bytes;
  return (is_longer || fill->store->bytes == fill->cell.bytes) && fill_is_always_made(fill) &&
         host_depends_only_on_count(scan, offset, fill->frame, fill->loop) &&
         host_split_affine(scan, host_gather(scan, host_settle(scan, offset)), count, start, stride);
}
