// What does a launch leave in an element of an array? Some thread of it stored there last, or none did.
// Method: as for a loop of the host (contents.c), with "some thread, in some iteration" (lane.c) in place of
// "some iteration": its numbers are functions of the element; known are their ranges, that the address is
// that of the element, the branches that dominate the store, and the value that was stored. Where each thread
// whose number passes the guards stores to a place of its own, all of those places have been written.
// Atomic additions leave what was there and what the threads added (launch_histograms.c). Where the place is not understood
// (a number that was drawn), one execution of the store still wrote one element, so the numbers of the thread
// are an injective function of it.
// Soundness: over-approximates. A kernel that stores in ways that are not understood, or atomically, leaves
// any value. That all places of a launch are written holds only if the guards are understood completely; that
// the launch is over when its results are read is asked by stream_order.c.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/lane.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

enum { CONDITION_LIMIT = 16, FILL_DEPTH = 3 };

// ---- one store
typedef struct Shot { // a store, by the thread that wrote the element with it
  const LaneLaunch *launch;
  Lane *lane;
  uint32_t inst, anchor; // function that all conditions are kept with
  ExprRef wrote, value, offset;
  ExprRef covers;            // elements that were surely written, where that is known already; else 0
  LaneConditions conditions; // on the way to the store
  LaneConditions needed;     // those that not all pass
  bool is_exact;             // who passes them surely comes to the store
} Shot;

static ExprRef without_extension(const ExprPool *pool, ExprRef ref) {
  ExprNode node = *expr_node(pool, ref);
  return node.op == EXPR_ZEXT || node.op == EXPR_SEXT ? node.a : ref;
}

// Nothing is known of it but that it was stored.
static bool is_any_value(const Lane *lane, ExprRef value) {
  value = without_extension(lane->pool, value);
  return expr_node(lane->pool, value)->op == EXPR_APP && host_holds_func(lane->pool, value, &lane->unknowns);
}

static bool read_shot(Shot *shot) {
  const LaneLaunch *launch = shot->launch;
  HostScan *scan = launch->scan;
  const IrInst *store = &launch->kernel->insts.items[shot->inst];
  IrType type = ir_ref_type(launch->use->module, launch->kernel, store->ops[1]);
  HostTarget target;
  ExprRef address = 0;
  shot->lane = lane_make(launch);
  bool is_pointer = type.kind == IR_PTR && launch->cell.kind == IR_PTR;
  bool is_word = is_pointer || type.kind == IR_INT || type.kind == IR_FLOAT;
  if (!is_word || type.bytes != launch->cell.bytes) return false;
  if (lane_place(launch, shot->lane, store->ops[0], &address) != LANE_PLACE_GLOBAL) return false;
  if (!host_sole_target(scan, address, &target)) return false;
  shot->offset = target.offset;
  shot->is_exact = lane_way_to(shot->lane, store->block, &shot->conditions, &shot->needed);
  if (is_pointer && lane_place(launch, shot->lane, store->ops[1], &shot->value) != LANE_PLACE_GLOBAL)
    return false;
  if (!is_pointer) shot->value = lane_value(shot->lane, store->ops[1]);
  if (!is_pointer && is_any_value(shot->lane, shot->value)) {
    LaneCount count = {shot->lane, shot->inst, shot->offset, &shot->needed, shot->is_exact, 0, 0};
    if (launch->around.frame || type.kind != IR_INT || !lane_count(&count)) return false;
    shot->value = count.value;
    shot->covers = count.covers;
  }
  lane_relate_numbers(shot->lane);
  return true;
}

static void keep(const Shot *shot, ExprRef condition) {
  ExprPool *pool = shot->launch->scan->pool;
  if (host_weight(shot->launch->scan, condition) > HOST_HEAVY / 4) return;
  host_fill_fact(shot->launch->scan, shot->anchor, expr_or(pool, expr_not(pool, shot->wrote), condition));
}

// "The store wrote the element", and what the function that says so hangs on.
static void make_flag(Shot *shot, ExprRef stream) {
  const LaneLaunch *launch = shot->launch;
  HostScan *scan = launch->scan;
  SrcLoc loc = *ir_loc(launch->use->module, launch->kernel->insts.items[shot->inst].loc);
  ExprSym truth = {.width = 8, .kind = SYM_HOST_VALUE, .lo = 0, .hi = 1, .loc = loc};
  truth.name = arena_printf(scan->arena, "written at line %u", loc.line);
  ExprFunc wrote = host_function_like(&truth);
  wrote.is_by_launch = true;
  shot->anchor = expr_new_func(scan->pool, wrote);
  ExprRef flag = expr_app(scan->pool, shot->anchor, 1, &scan->element);
  shot->wrote = expr_eq(scan->pool, flag, expr_const(scan->pool, 8, 1));
  HostKernelFill fill = {shot->anchor, launch->frame, launch->arguments.begins, stream};
  vec_push(scan->arena, &scan->kernel_fills, fill);
}

// What holds if it did.
static void list_conditions(const Shot *shot, HostConditions *out) {
  const LaneLaunch *launch = shot->launch;
  Arena *arena = launch->scan->arena;
  vec_push(arena, out, host_is_at_element(launch->scan, shot->offset, launch->cell.bytes, launch->cell));
  for (uint32_t i = 0; i < shot->lane->known.count; i++)
    vec_push(arena, out, shot->lane->known.items[i]);
  for (uint32_t i = 0; i < shot->conditions.count && i < CONDITION_LIMIT; i++)
    vec_push(arena, out, shot->conditions.items[i]);
}

static void start_shot(Shot *shot) {
  HostConditions conditions = {0};
  make_flag(shot, shot->launch->arguments.stream);
  list_conditions(shot, &conditions);
  for (uint32_t i = 0; i < conditions.count; i++)
    keep(shot, conditions.items[i]);
}

// ---- which thread it was

// Is the store made at most once by each thread, or for each number of the grid-stride loop around it?
static bool is_made_once(const Shot *shot) {
  const Lane *lane = shot->lane;
  uint32_t loop = lane->cfg->loop_of[shot->launch->kernel->insts.items[shot->inst].block];
  return loop == CFG_NONE || (loop == lane->index_loop && lane->index_count == 1 &&
                              lane->cfg->loops.items[loop].parent == CFG_NONE);
}

// The numbers that tell the execution of the store from all others, put together in one word; 0: too many.
static ExprRef execution(const Shot *shot) {
  ExprPool *pool = shot->lane->pool;
  LaneNumbers numbers = {0};
  lane_numbers(shot->lane, shot->inst, &numbers);
  ExprRef word = expr_const(pool, 64, 0);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < numbers.count; i++) {
    int64_t lo = 0, hi = 0, size = 1;
    expr_range(pool, numbers.items[i], &lo, &hi);
    uint32_t width = 64 - (uint32_t)__builtin_clzll((uint64_t)hi | 1);
    if (lo < 0 || bits + width > 62) return 0;
    ExprRef number = expr_resize_unsigned(pool, numbers.items[i], 64);
    size <<= bits;
    word = expr_binary(pool, EXPR_ADD, EXPR_NSW, word,
                       expr_binary(pool, EXPR_MUL, EXPR_NSW, number, expr_const(pool, 64, size)));
    bits += width;
  }
  return word;
}

// `list[atomicAdd(&count, 1)] = thread;`: at which place it is stored is not known, but that one execution of the
// store wrote one element: those of two elements differ in the numbers of the thread or the iteration.
static void keep_execution(Shot *shot) {
  HostScan *scan = shot->launch->scan;
  if (shot->launch->cell.offset != scan->element || !is_made_once(shot) ||
      !host_holds_func(scan->pool, shot->offset, &shot->lane->unknowns) ||
      !host_holds_func(scan->pool, shot->value, &shot->lane->funcs))
    return;
  ExprRef word = execution(shot);
  if (!word) return;
  ExprFunc info = {
      .name = "execution of the store", .width = 64, .kind = SYM_HOST_VALUE, .is_injective = true};
  info.hi = INT64_MAX;
  ExprRef number = expr_app(scan->pool, expr_new_func(scan->pool, info), 1, &scan->element);
  keep(shot, expr_eq(scan->pool, word, number));
}

// ---- all places of a launch

// The place of the thread with number q is start + stride * q.
typedef struct Steps {
  const Shot *shot;
  ExprRef index, start, number, product; // number: q in 64 bits
  int64_t stride;
  ExprRef way; // from the start to the element: stride * q
} Steps;

static bool is_free(const Steps *steps, ExprRef ref) {
  return !host_holds_func(steps->shot->lane->pool, ref, &steps->shot->lane->funcs);
}

static bool is_index(const Steps *steps, ExprRef ref) {
  return without_extension(steps->shot->lane->pool, ref) == steps->index;
}

static bool read_product(Steps *steps, ExprRef ref) {
  ExprPool *pool = steps->shot->lane->pool;
  ExprNode node = *expr_node(pool, ref);
  steps->stride = 1;
  steps->product = ref;
  steps->number = node.op == EXPR_MUL ? node.a : ref;
  if (is_index(steps, ref)) return true;
  return node.op == EXPR_MUL && is_index(steps, node.a) && expr_is_const(pool, node.b, &steps->stride) &&
         steps->stride > 0 && steps->stride < 1 << 16;
}

static bool read_steps(Steps *steps) {
  ExprPool *pool = steps->shot->lane->pool;
  ExprRef offset = steps->shot->offset;
  ExprNode sum = *expr_node(pool, offset);
  steps->start = expr_const(pool, 64, 0);
  if (read_product(steps, offset)) return true;
  for (int side = 0; sum.op == EXPR_ADD && side < 2; side++) {
    steps->start = side ? sum.a : sum.b;
    if (is_free(steps, steps->start) && read_product(steps, side ? sum.b : sum.a)) return true;
  }
  return false;
}

// One side of a comparison, times the stride: the way for the number of the thread.
static ExprRef scaled(const Steps *steps, ExprRef ref, bool is_unsigned) {
  ExprPool *pool = steps->shot->lane->pool;
  if (is_index(steps, ref)) return steps->way;
  if (!is_free(steps, ref)) return 0;
  ref = is_unsigned ? expr_resize_unsigned(pool, ref, 64) : expr_resize_signed(pool, ref, 64);
  return expr_binary(pool, EXPR_MUL, EXPR_NSW, ref, expr_const(pool, 64, steps->stride));
}

// What other arrays hold at the place of the thread.
static ExprRef for_place(const Steps *steps, ExprRef condition) {
  ExprPool *pool = steps->shot->lane->pool;
  HostScan *scan = steps->shot->lane->scan;
  condition = host_replace(scan, condition, steps->product, steps->way);
  ExprRef number = expr_binary(pool, EXPR_SDIV, 0, steps->way, expr_const(pool, 64, steps->stride));
  if (expr_width(pool, steps->number) == 64) condition = host_replace(scan, condition, steps->number, number);
  return is_free(steps, condition) ? condition : 0;
}

// The condition, for the thread whose place is the element; 0 if it is not understood.
static ExprRef for_element(const Steps *steps, ExprRef condition) {
  ExprPool *pool = steps->shot->lane->pool;
  ExprNode node = *expr_node(pool, condition);
  if (is_free(steps, condition)) return condition;
  if (node.op == EXPR_NOT) {
    ExprRef inner = for_element(steps, node.a);
    return inner ? expr_not(pool, inner) : 0;
  }
  if ((node.op == EXPR_AND || node.op == EXPR_OR) && node.width == 1) {
    ExprRef a = for_element(steps, node.a), b = for_element(steps, node.b);
    return a && b ? (node.op == EXPR_AND ? expr_and(pool, a, b) : expr_or(pool, a, b)) : 0;
  }
  bool is_unsigned = node.op == EXPR_ULT || node.op == EXPR_ULE;
  bool is_order = is_unsigned || node.op == EXPR_SLT || node.op == EXPR_SLE;
  ExprRef a = is_order ? scaled(steps, node.a, is_unsigned) : 0;
  ExprRef b = is_order ? scaled(steps, node.b, is_unsigned) : 0;
  if (!a || !b) return for_place(steps, condition);
  return expr_binary(pool, node.op == EXPR_ULT || node.op == EXPR_SLT ? EXPR_SLT : EXPR_SLE, 0, a, b);
}

// A grid-stride loop that is left only where its number is too large: what it comes to for some number, it
// comes to for all below.
static bool goes_through_all(const Shot *shot) {
  const Lane *lane = shot->lane;
  const Cfg *cfg = lane->cfg;
  uint32_t block = shot->launch->kernel->insts.items[shot->inst].block, loop = cfg->loop_of[block];
  if (loop == CFG_NONE) return lane->index_loop == CFG_NONE;
  if (loop != lane->index_loop || cfg->loops.items[loop].parent != CFG_NONE) return false;
  const CfgLoop *info = &cfg->loops.items[loop];
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t at = info->blocks.items[i];
    for (uint32_t e = cfg->succ_first[at]; at != info->header && e < cfg->succ_first[at + 1]; e++)
      if (!cfg_loop_contains(cfg, loop, cfg->succs[e])) return false;
  }
  const IrInst *last = ir_terminator(lane->kernel, info->header);
  if (last->op != IR_CONDBR || !cfg_loop_contains(cfg, loop, last->blocks[0])) return false;
  const IrInst *test = ir_inst(lane->kernel, last->ops[0]);
  bool is_below =
      test && test->op == IR_ICMP &&
      (test->pred == IR_SLT || test->pred == IR_ULT || test->pred == IR_SLE || test->pred == IR_ULE);
  return is_below && lane->values[ir_ref_index(test->ops[0])] == lane->index &&
         ir_ref_kind(test->ops[0]) == IR_REF_INST;
}

// Elements that were surely written; 0 if that is not known.
static ExprRef covered(const Shot *shot) {
  const Lane *lane = shot->lane;
  ExprPool *pool = lane->pool;
  Steps steps = {.shot = shot, .index = lane->index};
  bool is_one = lane->index_count == 1 && (lane->index_loop != CFG_NONE) == (lane->index_end == 0);
  if (!shot->is_exact || !is_one || !goes_through_all(shot) || !read_steps(&steps)) return 0;
  ExprRef zero = expr_const(pool, 64, 0), stride = expr_const(pool, 64, steps.stride);
  steps.way = host_gather(lane->scan,
                          expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, shot->launch->cell.offset, steps.start));
  ExprRef all = expr_binary(pool, EXPR_SLE, 0, zero, steps.way);
  ExprRef end = lane->index_end ? lane->index_end : expr_const(pool, 64, INT32_MAX);
  end = expr_binary(pool, EXPR_MUL, EXPR_NSW, end, stride);
  all = expr_and(pool, all, expr_binary(pool, EXPR_SLT, 0, steps.way, end));
  if (steps.stride != shot->launch->cell.bytes)
    all = expr_and(pool, all, expr_eq(pool, expr_binary(pool, EXPR_SREM, 0, steps.way, stride), zero));
  for (uint32_t i = 0; i < shot->conditions.count; i++) {
    ExprRef condition = for_element(&steps, shot->conditions.items[i]);
    if (!condition) return 0;
    all = expr_and(pool, all, condition);
  }
  return host_weight(lane->scan, all) > HOST_HEAVY ? 0 : all;
}

// ---- the launch
static bool read_shots(LaneLaunch *launch, Shot *shots) {
  bool is_known = true;
  for (uint32_t i = 0; i < launch->stores.count && is_known; i++) {
    shots[i] = (Shot){.launch = launch, .inst = launch->stores.items[i].inst};
    is_known = read_shot(&shots[i]);
  }
  return is_known;
}

ExprRef host_element_of_launch(HostScan *scan, const HostQuestion *question) {
  LaneLaunch launch = {
      .scan = scan, .frame = question->frame, .inst = question->index, .cell = question->cell};
  Shot shots[LANE_STORES];
  if (scan->fill_depth >= FILL_DEPTH) return 0;
  scan->fill_depth++;
  bool is_known = lane_open_launch(&launch, question->kind), counts = launch.additions.count > 0;
  if (is_known && !counts) is_known = read_shots(&launch, shots);
  scan->fill_depth--;
  if (!is_known) return 0;
  ExprRef value = host_settle(scan, host_cell_before(scan, launch.frame, launch.inst, launch.cell)),
          any = expr_bool(scan->pool, false);
  // Who wrote it before may write it behind this launch as well, unless that is over when it starts.
  value = host_when_over(scan, value, launch.frame, launch.inst, launch.arguments.behind);
  if (!value) return 0;
  if (counts) return launch.stores.count ? 0 : host_histogram(&launch, value);
  for (uint32_t i = 0; i < launch.stores.count; i++) {
    start_shot(&shots[i]);
    keep_execution(&shots[i]);
    value = expr_ite(scan->pool, shots[i].wrote, shots[i].value, value);
    any = expr_or(scan->pool, any, shots[i].wrote);
  }
  for (uint32_t i = 0; i < launch.stores.count; i++) {
    ExprRef all = shots[i].covers ? shots[i].covers : covered(&shots[i]);
    if (all) host_fill_fact(scan, shots[i].anchor, expr_or(scan->pool, expr_not(scan->pool, all), any));
  }
  return host_weight(scan, value) > HOST_HEAVY ? 0 : value;
}

bool host_stores_of_launch(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind, HostCell cell,
                           HostLoopPlace around, HostLaunchStores *out) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(kind <= CALL_COPY_PLAIN);
  ASSERT(host_has_cell(scan, cell));
  LaneLaunch launch = {.scan = scan, .frame = frame, .inst = inst, .cell = cell, .around = around};
  Shot shots[LANE_STORES];
  if (scan->fill_depth >= FILL_DEPTH) return false;
  scan->fill_depth++;
  bool is_known =
      lane_open_launch(&launch, kind) && launch.additions.count == 0 && read_shots(&launch, shots);
  scan->fill_depth--;
  if (!is_known) return false;
  ExprRef stream = launch.arguments.stream;
  if (stream && host_varies_in(scan, stream, around.frame, around.loop)) stream = 0;
  for (uint32_t i = 0; i < launch.stores.count; i++) {
    make_flag(&shots[i], stream);
    HostLaunchStore store = {.anchor = shots[i].anchor,
                             .wrote = shots[i].wrote,
                             .value = shots[i].value,
                             .funcs = shots[i].lane->funcs};
    const IndexList *steady = &shots[i].lane->steady;
    for (uint32_t f = 0; f < steady->count; f++)
      vec_push(scan->arena, &store.funcs, steady->items[f]);
    list_conditions(&shots[i], &store.conditions);
    vec_push(scan->arena, out, store);
  }
  return true;
}
