// What do arrays hold when a kernel starts? For what the kernel reads as integers, the host code is asked for
// the value of an element of which it is not said which one (elements.c). Method:
// cells.c walks back over copies, fills and stores as it does for any cell. A loop that stores to the array
// or launches kernels that do is not undone; some run of one of its stores wrote the element, or none did:
// functions of the element say which store it was and in which iterations (Skolem functions of "there is an
// iteration"), and what held there then is known of them: that the address is that of the element, and the
// conditions on the way to the store. Soundness: nothing is left out: stores of other widths, and whatever is
// not understood, give unknown values.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "core/bug.h"
#include "hostscan/facts.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { STORE_LIMIT = 16, CONDITION_LIMIT = 24 };

// ---- stores in a loop
typedef struct Store { // in the loop, or in a function that is called there
  HostFrame *frame;
  uint32_t inst;
  uint32_t top; // in the frame of the loop: the store, or the call that leads to it
  ExprRef offset, value;
  uint32_t bytes; // of a copy, more than the element
} Store;

typedef struct Varying { // a symbol that changes in the loop, and what it was when the element was written
  uint32_t sym;
  ExprRef then;
} Varying;

typedef struct Fill { // one store
  HostScan *scan;
  HostFrame *frame;
  uint32_t loop;
  HostCell cell;
  const Store *store;
  uint32_t anchor; // function that all conditions are kept with
  ExprRef wrote;   // the store wrote the element
  VEC(Varying) varying;
  VEC(uint32_t) found; // symbols of the expression in hand
} Fill;

static void keep(Fill *fill, ExprRef condition) {
  ExprPool *pool = fill->scan->pool;
  host_fill_fact(fill->scan, fill->anchor, expr_or(pool, expr_not(pool, fill->wrote), condition));
}

static bool find_varying(void *context, uint32_t sym) {
  Fill *fill = context;
  if (host_sym_varies(fill->scan, sym, fill->frame, fill->loop))
    vec_push(fill->scan->arena, &fill->found, sym);
  return true;
}

static ExprRef then(Fill *fill, ExprRef ref, bool *varies);
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

// A value of the loop is a function of the iteration number, for all arrays that the loop fills; a rising one
// if it never falls. Then one step of it is known, too.
static ExprRef by_iteration(Fill *fill, uint32_t sym) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  ExprRef number = host_loop_count(scan, fill->frame, fill->loop), next = host_sym(scan, sym)->next;
  if (expr_sym(pool, sym) == number || !varies_only_here(fill, sym)) return 0;
  if (!host_sym(scan, sym)->by_iteration) {
    ExprFunc made = host_function_like(expr_sym_info(pool, sym));
    made.is_monotone = next != 0;
    uint32_t func = expr_new_func(pool, made);
    host_sym(scan, sym)->by_iteration = func + 1;
    host_note_origin(scan, (HostFuncOrigin){.func = func, .sym = sym});
  }
  uint32_t func = host_sym(scan, sym)->by_iteration - 1;
  bool varies = false;
  ExprRef count = then(fill, number, &varies), now = expr_app(pool, func, 1, &count);
  vec_push(scan->arena, &fill->varying, (Varying){sym, now});
  if (!next) return now;
  ExprRef later = expr_binary(pool, EXPR_ADD, EXPR_NSW, count, expr_const(pool, expr_width(pool, count), 1));
  keep(fill, expr_eq(pool, expr_app(pool, func, 1, &later), then(fill, next, &varies)));
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
    counts[i] = then(fill, counts[i], &varies);
  ExprRef value = expr_app(scan->pool, func - 1, count, counts);
  vec_push(scan->arena, &fill->varying, (Varying){sym, value});
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
  if (!varies_only_here(fill, outer) || !value_then(fill, outer) || !host_sym(scan, outer)->by_iteration)
    return 0;
  bool varies = false;
  uint32_t func = host_sym(scan, outer)->by_iteration - 1;
  ExprRef count = then(fill, host_loop_count(scan, fill->frame, fill->loop), &varies);
  ExprRef none = expr_const(pool, expr_width(pool, count), 0),
          one = expr_const(pool, expr_width(pool, count), 1);
  ExprRef first = host_settle(scan, around.entering),
          later = expr_binary(pool, EXPR_ADD, EXPR_NSW, count, one);
  if (first && !host_varies_in(scan, first, fill->frame, fill->loop))
    host_fill_fact(scan, func, expr_eq(pool, expr_app(pool, func, 1, &none), first));
  ExprRef value = expr_app(pool, func, 1, &later);
  vec_push(scan->arena, &fill->varying, (Varying){sym, value});
  return value;
}

static ExprRef value_then(Fill *fill, uint32_t sym) {
  for (uint32_t i = 0; i < fill->varying.count; i++)
    if (fill->varying.items[i].sym == sym) return fill->varying.items[i].then;
  ExprRef value = by_iteration(fill, sym);
  if (!value) value = by_coming_round(fill, sym);
  if (!value) value = by_iterations(fill, sym);
  if (value) return value;
  uint32_t func = 0;
  ExprSym info = *expr_sym_info(fill->scan->pool, sym);
  value = host_function_of_element(fill->scan, &info, &func);
  host_note_origin(fill->scan, (HostFuncOrigin){.func = func, .sym = sym});
  vec_push(fill->scan->arena, &fill->varying, (Varying){sym, value});
  return value;
}

// The expression as it was when the element was written.
static ExprRef then(Fill *fill, ExprRef ref, bool *varies) {
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

// Behind the calls that say of the store itself that it was in its array.
static uint32_t end_of_store(const IrFunction *ir, uint32_t store) {
  const IrBlock *block = &ir->blocks.items[ir->insts.items[store].block];
  uint32_t end = store;
  for (uint32_t i = store + 1; i < block->first + block->count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    IrOpClass class = ir_op_class((IrOp)inst->op);
    bool is_computed = class == IR_CLASS_ARITH || class == IR_CLASS_COMPARE || class == IR_CLASS_CAST;
    bool is_said = inst->op == IR_CALL && inst->name && strcmp(inst->name, "__hgrd_in_array") == 0;
    if (is_said) end = i + 1;
    if (!is_said && !is_computed) break;
  }
  return end;
}

// What held at the store, and at the calls that led there from the loop.
static void keep_conditions(Fill *fill) {
  HostScan *scan = fill->scan;
  IndexList facts = {0};
  uint32_t kept = 0, inst = end_of_store(fill->store->frame->function->ir, fill->store->inst);
  for (HostFrame *at = fill->store->frame;; inst = at->call, at = at->parent) {
    host_facts_at(scan, at, inst, &facts);
    if (at == fill->frame) break;
  }
  for (uint32_t i = 0; i < facts.count && kept < CONDITION_LIMIT; i++) {
    bool varies = false;
    ExprRef condition = scan->facts.items[facts.items[i]].fact.condition;
    if (host_weight(scan, condition) > HOST_HEAVY / 4) continue;
    condition = then(fill, condition, &varies);
    if (!varies || host_weight(scan, condition) > HOST_HEAVY / 4) continue;
    keep(fill, condition);
    kept++;
  }
}

ExprRef host_unknown_element(HostScan *scan, HostCell cell, SrcLoc loc) {
  ASSERT(host_has_cell(scan, cell));
  uint8_t width = (uint8_t)(cell.bytes * 8);
  int64_t half = (int64_t)((uint64_t)1 << (width - 1));
  ExprSym info = {.name = host_object_of(scan, cell.base)->name,
                  .width = width,
                  .kind = SYM_HOST_VALUE,
                  .lo = width == 64 ? INT64_MIN : -half,
                  .hi = width == 64 ? INT64_MAX : half - 1,
                  .loc = loc};
  uint32_t func = 0;
  ExprRef value = host_function_of_element(scan, &info, &func);
  const char *writer = arena_printf(scan->arena, "the code at line %u", loc.line);
  host_note_origin(scan, (HostFuncOrigin){.func = func, .writer = writer});
  return value;
}

// Is it executed whenever control goes through the frame of the loop at `top`?
static bool is_always_executed(const Fill *fill) {
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
static bool is_in_steps(Fill *fill, ExprRef *start, int64_t *stride) {
  HostScan *scan = fill->scan;
  ExprRef count = host_loop_count(scan, fill->frame, fill->loop), offset = fill->store->offset;
  bool is_longer = fill->cell.kind == IR_PTR && fill->store->bytes > fill->cell.bytes;
  return (is_longer || fill->store->bytes == fill->cell.bytes) && is_always_executed(fill) &&
         host_depends_only_on_count(scan, offset, fill->frame, fill->loop) &&
         host_split_affine(scan, host_gather(scan, host_settle(scan, offset)), count, start, stride);
}

// The same place in each iteration: it is written once there was one.
static ExprRef covered_again(Fill *fill) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  ExprRef count = host_loop_count(scan, fill->frame, fill->loop),
          start = host_settle(scan, fill->store->offset);
  ExprRef last = expr_const(pool, 64, (int64_t)fill->store->bytes - fill->cell.bytes);
  if (fill->store->bytes < fill->cell.bytes || host_varies_in(scan, start, fill->frame, fill->loop) ||
      !is_always_executed(fill))
    return 0;
  last = host_add_offset(scan, start, last);
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, start, fill->cell.offset),
                            expr_binary(pool, EXPR_SLE, 0, fill->cell.offset, last));
  ExprRef none = expr_const(pool, expr_width(pool, count), 0);
  return expr_and(pool, expr_binary(pool, EXPR_SLT, 0, none, count), inside);
}

// The elements that the store has written in all iterations that are over; 0 if they are not known so
// exactly.
static ExprRef covered(Fill *fill) {
  ExprPool *pool = fill->scan->pool;
  int64_t stride = 0, bytes = fill->store->bytes, word = fill->cell.bytes;
  ExprRef start = 0, count = host_loop_count(fill->scan, fill->frame, fill->loop);
  if (!is_in_steps(fill, &start, &stride)) return fill->cell.kind == IR_PTR ? covered_again(fill) : 0;
  if (bytes != word && (stride < 0 || bytes % word != 0 || stride % word != 0)) return 0;
  ExprRef way = expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_resize_signed(pool, count, 64),
                            expr_const(pool, 64, stride));
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, start, way), at = fill->cell.offset;
  bool is_up = stride > 0;
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, is_up ? start : at, is_up ? at : start),
                            expr_binary(pool, EXPR_SLT, 0, is_up ? at : end, is_up ? end : at));
  if (stride == bytes || -stride == bytes || (bytes != word && stride < bytes)) return inside;
  ExprRef rest = expr_binary(pool, EXPR_SREM, 0, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, at, start),
                             expr_const(pool, 64, stride));
  ExprRef last = expr_const(pool, 64, bytes - word);
  return expr_and(pool, inside,
                  bytes == word ? expr_eq(pool, rest, last) : expr_binary(pool, EXPR_SLE, 0, rest, last));
}

typedef struct Stored {     // by the stores of a loop, so far
  ExprRef value;            // of the element
  ExprRef any;              // one of them wrote it
  VEC(HostFillFact) covers; // elements that surely were written, with the function to keep that with
} Stored;

static void start_fill(Fill *fill) {
  HostScan *scan = fill->scan;
  const HostFunction *function = fill->store->frame->function;
  SrcLoc loc = host_loc(scan, fill->store->frame, &function->ir->insts.items[fill->store->inst]);
  ExprSym truth = {.width = 8, .kind = SYM_HOST_VALUE, .lo = 0, .hi = 1, .loc = loc};
  truth.name = arena_printf(scan->arena, "written at line %u", loc.line);
  ExprRef flag = host_function_of_element(scan, &truth, &fill->anchor);
  fill->wrote = expr_eq(scan->pool, flag, expr_const(scan->pool, 8, 1));
}

// Is the symbol what lay somewhere in the array at the start of an iteration?
static bool is_at_header(HostScan *scan, const HostFrame *frame, uint32_t loop, uint32_t symbol,
                         HostCell cell) {
  const HostSym *sym = host_sym(scan, symbol);
  return sym->cell_offset && sym->is_placeholder && sym->frame == frame && sym->loop == loop &&
         scan->objects.items[sym->holder].leaf == cell.base;
}

// ---- running sums

// Is it what the array held at the start of the iteration, so many bytes before what is stored?
static bool stored_at(const Fill *fill, const Store *store, ExprRef value, int64_t before) {
  HostScan *scan = fill->scan;
  ExprNode node = *expr_node(scan->pool, value);
  int64_t apart = 0;
  if (node.op != EXPR_SYM || !is_at_header(scan, fill->frame, fill->loop, (uint32_t)node.value, fill->cell))
    return false;
  ExprRef place = host_sym(scan, (uint32_t)node.value)->cell_offset;
  ExprRef distance = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, store->offset, place);
  return expr_is_const(scan->pool, host_gather(scan, host_settle(scan, distance)), &apart) && apart == before;
}

// Not negative, in all cases, if somebody wrote it (A12).
static bool is_natural(HostScan *scan, ExprRef value) {
  ExprNode node = *expr_node(scan->pool, value);
  int64_t lo = 0, hi = 0;
  if (host_is_uninitialised(scan, value)) return true;
  if (node.op == EXPR_ITE) return is_natural(scan, node.b) && is_natural(scan, node.c);
  expr_range(scan->pool, value, &lo, &hi);
  return lo >= 0;
}

// Is it an element of another array, none of whose elements is negative?
static bool is_of_naturals(const Fill *fill, const Store *store, ExprRef value) {
  HostScan *scan = fill->scan;
  ExprNode node = *expr_node(scan->pool, value);
  const HostSym *sym = node.op == EXPR_SYM ? host_sym(scan, (uint32_t)node.value) : NULL;
  if (!sym || !sym->holder || node.width < 8) return false;
  HostCell cell = {scan->objects.items[sym->holder].leaf, host_element(scan), node.width / 8, IR_INT};
  if (cell.base == fill->cell.base || !host_is_cell_size(cell.bytes)) return false;
  ExprRef there = host_settle(scan, host_cell_before(scan, store->frame, store->inst, cell));
  return !host_is_uninitialised(scan, there) && is_natural(scan, there);
}

// a[x] += d with d >= 0, wherever that is, and nothing else: what was not negative stays so (A1).
static ExprRef counted(const Fill *fill, const Store *store, ExprRef before) {
  HostScan *scan = fill->scan;
  if (!store->value || store->bytes != fill->cell.bytes || host_is_uninitialised(scan, before) ||
      !is_natural(scan, before))
    return 0;
  ExprRef value = host_settle(scan, store->value);
  ExprNode sum = *expr_node(scan->pool, value);
  if (sum.op != EXPR_ADD || !(sum.flags & EXPR_NSW)) return 0;
  ExprRef own = stored_at(fill, store, sum.a, 0) ? sum.a : stored_at(fill, store, sum.b, 0) ? sum.b : 0;
  if (!own || !host_is_at_least(scan, value, own)) return 0;
  ExprSym info = {
      .name = "count", .width = sum.width, .kind = SYM_HOST_VALUE, .hi = INT64_MAX >> (64 - sum.width)};
  info.loc = host_loc(scan, store->frame, &store->frame->function->ir->insts.items[store->inst]);
  uint32_t func = 0;
  return host_function_of_element(scan, &info, &func);
}

// What the element before holds, somewhere in the sum.
static ExprRef last_in(const Fill *fill, const Store *store, ExprRef sum, int64_t stride, int depth) {
  ExprNode node = *expr_node(fill->scan->pool, sum);
  if (node.op != EXPR_ADD || depth == 0) return 0;
  if (stored_at(fill, store, node.a, stride)) return node.a;
  if (stored_at(fill, store, node.b, stride)) return node.b;
  ExprRef found = last_in(fill, store, node.a, stride, depth - 1);
  return found ? found : last_in(fill, store, node.b, stride, depth - 1);
}

// a[i + 1] = a[i] + d with d >= 0: the elements are a rising function of the iteration, which begins with
// what lay before the first that is written. d may be what lay in a[i + 1] itself, which no iteration before has
// written. The value stored, or 0 if the loop is not one of these.
static ExprRef running_sum(Fill *fill, const Store *store, ExprRef *before) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  if (!store->value || store->bytes != fill->cell.bytes) return 0;
  ExprRef start = 0, value = host_settle(scan, store->value);
  ExprNode sum = *expr_node(pool, value);
  int64_t stride = 0;
  if (sum.op != EXPR_ADD || !is_in_steps(fill, &start, &stride)) return 0;
  ExprRef last = stored_at(fill, store, sum.a, stride) ? sum.a : 0, added = sum.b, there_before = 0;
  if (!last && stored_at(fill, store, sum.b, stride)) {
    last = sum.b;
    added = sum.a;
  }
  enum { DEPTH = 4 };
  bool is_exact = sum.flags & EXPR_NSW || sum.width == 64, is_direct = last != 0;
  if (!last) last = last_in(fill, store, value, stride, DEPTH);
  if (is_direct && stride != 0 && is_exact && stored_at(fill, store, added, 0) && is_natural(scan, *before))
    there_before = *before;
  bool is_rising = there_before || (last && (host_is_at_least(scan, value, last) ||
                                             (is_direct && is_exact && is_of_naturals(fill, store, added))));
  if (!is_rising) return 0;
  bool varies = false;
  uint8_t width = expr_width(pool, value);
  uint32_t func = expr_new_func(pool, (ExprFunc){.name = host_object_of(scan, fill->cell.base)->name,
                                                 .width = width,
                                                 .kind = SYM_HOST_VALUE,
                                                 .is_monotone = true});
  ExprRef count = then(fill, host_loop_count(scan, fill->frame, fill->loop), &varies);
  ExprRef one = expr_const(pool, expr_width(pool, count), 1),
          none = expr_const(pool, expr_width(pool, count), 0);
  ExprRef later = expr_binary(pool, EXPR_ADD, EXPR_NSW, count, one);
  ExprRef now = expr_app(pool, func, 1, &count), made = expr_app(pool, func, 1, &later);
  vec_push(scan->arena, &fill->varying, (Varying){(uint32_t)expr_node(pool, last)->value, now});
  ExprRef sum_then =
      there_before ? expr_binary(pool, EXPR_ADD, EXPR_NSW, now, there_before) : then(fill, value, &varies);
  keep(fill, expr_eq(pool, made, sum_then));
  // What lay there first.
  ExprRef first =
      host_gather(scan, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, start, expr_const(pool, 64, stride)));
  ExprRef there = host_at_element(scan, *before, first);
  ExprRef begin = expr_app(pool, func, 1, &none);
  *before = expr_ite(pool, expr_eq(pool, fill->cell.offset, first), begin, *before);
  host_fill_fact(scan, func, expr_eq(pool, begin, there));
  return made;
}

// No function in it but these: others may be of what lay in memory in the round in hand.
static bool holds_only(const ExprPool *pool, ExprRef ref, const IndexList *funcs) {
  if (!ref) return true;
  ExprNode node = *expr_node(pool, ref);
  bool is_known = node.op != EXPR_APP;
  for (uint32_t i = 0; i < funcs->count && !is_known; i++)
    is_known = funcs->items[i] == (uint32_t)node.value;
  for (uint32_t i = 0; i < node.arg_count && is_known; i++)
    is_known = holds_only(pool, node.args[i], funcs);
  return is_known && holds_only(pool, node.a, funcs) && holds_only(pool, node.b, funcs) &&
         holds_only(pool, node.c, funcs);
}

static void add_store_of_launch(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell,
                                const HostLaunchStore *store, Stored *stored) {
  Fill fill = {.scan = scan, .frame = frame, .loop = loop, .cell = cell};
  fill.anchor = store->anchor;
  fill.wrote = store->wrote;
  bool varies = false, is_known = holds_only(scan->pool, store->value, &store->funcs);
  ExprRef value = is_known ? then(&fill, store->value, &varies) : 0;
  if (!value || host_weight(scan, value) > HOST_HEAVY)
    value = host_unknown_element(scan, cell, expr_func_info(scan->pool, store->anchor)->loc);
  for (uint32_t i = 0; i < store->conditions.count; i++) {
    ExprRef condition = store->conditions.items[i];
    if (!holds_only(scan->pool, condition, &store->funcs)) continue;
    condition = then(&fill, condition, &varies);
    if (host_weight(scan, condition) <= HOST_HEAVY / 4) keep(&fill, condition);
  }
  stored->value = expr_ite(scan->pool, store->wrote, value, stored->value);
  stored->any = stored->any ? expr_or(scan->pool, stored->any, store->wrote) : store->wrote;
}

// ---- exchanges
static bool holds_what_was_at(HostScan *scan, HostFrame *frame, uint32_t loop, ExprRef value, HostCell cell,
                              ExprRef offset) {
  int64_t apart = 1;
  value = host_settle(scan, value);
  ExprNode node = *expr_node(scan->pool, value);
  if (node.op != EXPR_SYM) return false;
  const HostSym *sym = host_sym(scan, (uint32_t)node.value);
  if (!is_at_header(scan, frame, loop, (uint32_t)node.value, cell)) return false;
  ExprRef distance = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, offset, sym->cell_offset);
  return expr_is_const(scan->pool, host_gather(scan, host_settle(scan, distance)), &apart) && apart == 0;
}

// Two stores that put into each other's place what was there at the start of the iteration: whatever the
// places are, the array holds the same values afterwards, in another order. What the element holds then; 0:
// it is no exchange.
static ExprRef exchanged(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, const Store *one,
                         const Store *two, ExprRef before) {
  ExprPool *pool = scan->pool;
  const IrFunction *ir = one->frame->function->ir;
  if (cell.offset != scan->element || one->frame != two->frame || !one->value || !two->value ||
      one->bytes != cell.bytes || two->bytes != cell.bytes ||
      ir->insts.items[one->inst].block != ir->insts.items[two->inst].block)
    return 0;
  if (!holds_what_was_at(scan, frame, loop, one->value, cell, two->offset) ||
      !holds_what_was_at(scan, frame, loop, two->value, cell, one->offset))
    return 0;
  uint32_t func =
      expr_new_func(pool, (ExprFunc){.name = "place before",
                                     .width = 64,
                                     .kind = SYM_HOST_VALUE,
                                     .is_injective = true,
                                     .lo = 0,
                                     .hi = (int64_t)1 << 48,
                                     .loc = host_loc(scan, one->frame, &ir->insts.items[one->inst])});
  ExprRef place = expr_app(pool, func, 1, &scan->element), size = host_object_size(scan, cell.base);
  if (size) { // both places are in the array (A7), so it is mapped to itself
    ExprRef bytes = expr_const(pool, 64, cell.bytes);
    size = expr_resize_signed(pool, host_settle(scan, size), 64);
    ExprRef inside = expr_binary(pool, EXPR_SLE, 0, host_add_offset(scan, scan->element, bytes), size);
    ExprRef stays = expr_binary(pool, EXPR_SLE, 0, host_add_offset(scan, place, bytes), size);
    host_fill_fact(scan, func, expr_or(pool, expr_not(pool, inside), stays));
  }
  return host_at_element(scan, before, place);
}

// ---- the loop
typedef struct StoreList { // by instructions of the host, and by launches
  HostLoopPlace loop;
  VEC(Store) host;
  HostLaunchStores device;
} StoreList;

static bool find_place(HostScan *scan, HostFrame *frame, const IrInst *store, HostCell cell,
                       ExprRef *offset) {
  HostTarget target;
  if (store->op != IR_STORE || !host_sole_target(scan, host_value(scan, frame, store->ops[0]), &target))
    return false;
  *offset = target.offset;
  return target.leaf == cell.base;
}

static bool add_stores(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t top, HostCell cell,
                       StoreList *list);

static bool add_stores_of_block(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t top, HostCell cell,
                                StoreList *list) {
  const HostFunction *function = frame->function;
  for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++) {
    uint32_t inst = function->effects[e];
    if (!add_stores(scan, frame, inst, top == CFG_NONE ? inst : top, cell, list)) return false;
  }
  return true;
}

// All stores to the array that the instruction makes; false if there are others that are not understood.
static bool add_stores_of_call(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t top, HostCell cell,
                               StoreList *list) {
  HostFunction *callee = NULL;
  HostCallKind kind = host_call(scan, &frame->function->ir->insts.items[inst], &callee)->kind;
  if (kind == CALL_DEFINED) {
    HostFrame *child = host_frame_child(scan, frame, inst); // there is one: it was gone through
    for (uint32_t b = 0; child && b < child->function->ir->blocks.count; b++)
      if (!add_stores_of_block(scan, child, b, top, cell, list)) return false;
    return child != NULL;
  }
  bool is_launch = host_call_class(kind) == CLASS_LAUNCHES ||
                   (kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, &kind));
  return is_launch && cell.offset == scan->element && list->device.count < STORE_LIMIT &&
         host_stores_of_launch(scan, frame, inst, kind, cell, list->loop, &list->device);
}

static bool add_stores(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t top, HostCell cell,
                       StoreList *list) {
  if (!host_touches(scan, frame, inst, cell)) return true;
  const IrInst *store = &frame->function->ir->insts.items[inst];
  Store found = {.frame = frame, .inst = inst, .top = top};
  HostCopied copied;
  if (list->host.count < STORE_LIMIT && host_copied_pointers(scan, frame, inst, cell, &copied)) {
    found.offset = copied.offset;
    found.value = copied.value;
    found.bytes = copied.bytes;
    vec_push(scan->arena, &list->host, found);
    return true;
  }
  if (store->op == IR_CALL) return add_stores_of_call(scan, frame, inst, top, cell, list);
  if (!find_place(scan, frame, store, cell, &found.offset) || list->host.count == STORE_LIMIT) return false;
  found.bytes = ir_ref_type(scan->module, frame->function->ir, store->ops[1]).bytes;
  if (found.bytes == cell.bytes) found.value = host_value_piece(scan, frame, store->ops[1], 0, found.bytes);
  vec_push(scan->arena, &list->host, found);
  return true;
}

bool host_is_steady(HostScan *scan, HostLoopPlace around, HostCell cell) {
  ASSERT(host_has_cell(scan, cell));
  const HostFunction *function = around.frame->function;
  const CfgLoop *info = &function->cfg->loops.items[around.loop];
  if (host_varies_in(scan, cell.base, around.frame, around.loop)) return false;
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++)
      if (host_touches(scan, around.frame, function->effects[e], cell)) return false;
  }
  return true;
}

// ---- marks
typedef struct Marks {
  HostScan *scan;
  VEC(uint32_t) syms;
} Marks;

static bool note_sym(void *context, uint32_t sym) {
  Marks *marks = context;
  vec_push(marks->scan->arena, &marks->syms, sym);
  return true;
}

// The store that alone changes the array in the loop, one word beside the store of the element; NULL: there is none.
static const Store *only_mark(const Fill *fill, HostCell cell) {
  const CfgLoop *info = &fill->frame->function->cfg->loops.items[fill->loop];
  StoreList *stores = arena_new(fill->scan->arena, StoreList);
  stores->loop = (HostLoopPlace){fill->frame, fill->loop};
  for (uint32_t i = 0; i < info->blocks.count; i++)
    if (!add_stores_of_block(fill->scan, fill->frame, info->blocks.items[i], CFG_NONE, cell, stores))
      return NULL;
  const Store *mark = stores->host.items, *store = fill->store;
  bool is_only = stores->host.count == 1 && stores->device.count == 0;
  if (!is_only || mark->frame != store->frame || !mark->value || mark->bytes != cell.bytes) return NULL;
  const IrInst *insts = store->frame->function->ir->insts.items;
  return insts[mark->inst].block == insts[store->inst].block ? mark : NULL;
}

// Is what the array held at this place at the start of the iteration marked by the store, so that the condition never holds
// of that place again?
static bool is_marked(const Fill *fill, ExprRef condition, uint32_t symbol) {
  HostScan *scan = fill->scan;
  const HostSym *sym = host_sym(scan, symbol);
  if (!sym->cell_offset || !sym->is_placeholder || sym->frame != fill->frame || sym->loop != fill->loop)
    return false;
  ExprRef was = expr_sym(scan->pool, symbol);
  uint32_t bytes = (expr_width(scan->pool, was) + 7u) / 8;
  HostCell cell = {scan->objects.items[sym->holder].leaf, scan->element, bytes, IR_INT};
  if (!host_is_cell_size(bytes) || cell.base == fill->cell.base) return false;
  const Store *mark = only_mark(fill, cell);
  if (!mark) return false;
  int64_t apart = 1, left = 0;
  ExprRef distance = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, mark->offset, sym->cell_offset);
  ExprRef value = host_settle(scan, mark->value);
  if (!expr_is_const(scan->pool, host_gather(scan, host_settle(scan, distance)), &apart) || apart != 0 ||
      !expr_is_const(scan->pool, value, &left))
    return false;
  ExprRef now = expr_const(scan->pool, expr_width(scan->pool, was), left);
  return expr_is_false(scan->pool, host_settle(scan, host_replace(scan, condition, was, now)));
}

// `if (!listed[i]) { listed[i] = true; list[n++] = i; }`: no place is marked in two iterations, so there is a function that says of each place in which one.
static void keep_mark(Fill *fill, ExprRef condition) {
  HostScan *scan = fill->scan;
  ExprPool *pool = scan->pool;
  Marks marks = {.scan = scan};
  condition = host_settle(scan, condition);
  host_each_sym(scan, condition, note_sym, &marks);
  for (uint32_t i = 0; i < marks.syms.count; i++) {
    if (!is_marked(fill, condition, marks.syms.items[i])) continue;
    bool varies = false;
    ExprRef place = then(fill, host_sym(scan, marks.syms.items[i])->cell_offset, &varies),
            count = then(fill, host_loop_count(scan, fill->frame, fill->loop), &varies);
    uint8_t width = expr_width(pool, count);
    uint32_t func = expr_new_func(
        pool, (ExprFunc){.name = "marked in iteration", .width = width, .kind = SYM_HOST_VALUE});
    keep(fill, expr_eq(pool, expr_app(pool, func, 1, &place), count));
  }
}

static void keep_marks(Fill *fill) {
  HostScan *scan = fill->scan;
  IndexList facts = {0};
  if (fill->store->frame != fill->frame) return;
  host_facts_at(scan, fill->frame, fill->store->inst, &facts);
  for (uint32_t i = 0; i < facts.count && i < CONDITION_LIMIT; i++)
    keep_mark(fill, scan->facts.items[facts.items[i]].fact.condition);
}

// What the store put into the element, if it was the last one to write it.
static void add_store(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell, const Store *store,
                      bool is_only, Stored *stored) {
  Fill fill = {.scan = scan, .frame = frame, .loop = loop, .cell = cell, .store = store};
  bool varies = false;
  start_fill(&fill);
  host_note_copy(scan, store->frame, store->inst, fill.anchor, (HostLoopPlace){frame, loop});
  bool is_of_element = is_only && cell.offset == scan->element;
  ExprRef value = is_of_element ? running_sum(&fill, store, &stored->value) : 0;
  if (!value && is_of_element) value = counted(&fill, store, stored->value);
  ExprRef now = store->value;
  if (now && cell.kind == IR_PTR) now = host_with_origins(scan, now);
  if (!value && now) value = then(&fill, now, &varies);
  if (!value || host_weight(scan, value) > HOST_HEAVY)
    value = host_unknown_element(
        scan, cell, host_loc(scan, store->frame, &store->frame->function->ir->insts.items[store->inst]));
  keep(&fill, host_is_at_element(scan, then(&fill, store->offset, &varies), store->bytes, cell));
  keep_conditions(&fill);
  keep_marks(&fill);
  stored->value = expr_ite(scan->pool, fill.wrote, value, stored->value);
  stored->any = stored->any ? expr_or(scan->pool, stored->any, fill.wrote) : fill.wrote;
  ExprRef covers = covered(&fill);
  if (covers) vec_push(scan->arena, &stored->covers, (HostFillFact){fill.anchor, covers});
}

ExprRef host_element_of_loop(HostScan *scan, const HostQuestion *question) {
  HostFrame *frame = question->frame;
  uint32_t loop = question->index;
  HostCell cell = question->cell;
  ExprRef before = question->before;
  const CfgLoop *info = &frame->function->cfg->loops.items[loop];
  Stored stored = {.value = before};
  StoreList stores = {.loop = {frame, loop}};
  for (uint32_t i = 0; i < info->blocks.count; i++)
    if (!add_stores_of_block(scan, frame, info->blocks.items[i], CFG_NONE, cell, &stores)) return 0;
  const Store *host = stores.host.items;
  uint32_t count = stores.host.count;
  bool is_of_host = stores.device.count == 0;
  ExprRef value =
      is_of_host && count == 2 ? exchanged(scan, frame, loop, cell, &host[0], &host[1], before) : 0;
  if (value) return value;
  for (uint32_t i = 0; i < count; i++)
    add_store(scan, frame, loop, cell, &host[i], is_of_host && count == 1, &stored);
  for (uint32_t i = 0; i < stores.device.count; i++)
    add_store_of_launch(scan, frame, loop, cell, &stores.device.items[i], &stored);
  for (uint32_t i = 0; i < stored.covers.count; i++) {
    HostFillFact known = stored.covers.items[i];
    ExprRef is_beside = expr_not(scan->pool, known.condition);
    host_fill_fact(scan, known.func, expr_or(scan->pool, is_beside, stored.any));
  }
  return stored.value;
}
